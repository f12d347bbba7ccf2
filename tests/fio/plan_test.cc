// SPDX-License-Identifier: MIT
// What jobs become: workloads, seeds, notices; and options that must agree.
#include <set>
#include <string>

#include "parse.h"
#include "support/catch.h"

namespace zonal {
namespace {

TEST_CASE("the guide's line becomes the workload it describes", "[fio]") {
  const auto parsed = Parse(
      "--name=zbc --filename=smr.zoned --direct=1 --zonemode=zbd --offset=140660178944 --size=1G "
      "--ioengine=libaio --iodepth=8 --rw=write --bs=256K");
  REQUIRE(parsed.ok());
  REQUIRE(parsed->plan.workers.size() == 1);
  Workload expected;
  expected.name = "zbc";
  expected.target = "smr.zoned";
  expected.direct = true;
  expected.zone_mode = ZoneMode::kZbd;
  expected.offset = 140660178944;
  expected.size = 1ull << 30;
  expected.queue = QueueKind::kLibaio;
  expected.depth = 8;
  expected.writes = true;
  expected.fill.kind = DataFill::Kind::kScramble;
  expected.read_block = expected.write_block = expected.trim_block = BlockSize(256 << 10);
  expected.seed = parsed->plan.workers[0].seed;
  CHECK(parsed->plan.workers[0] == expected);
  CHECK(parsed->report.engine_names == std::vector<std::string>{"libaio"});
  CHECK(parsed->notices.empty());
}

TEST_CASE("defaults are fio's", "[fio]") {
  const auto parsed = ParseJob("");
  REQUIRE(parsed.ok());
  const Workload& work = parsed->plan.workers.at(0);
  CHECK(work.reads);
  CHECK_FALSE(work.writes);
  CHECK(work.pattern == Pattern::kSequential);
  CHECK(work.read_block == 4096);
  CHECK(work.queue == QueueKind::kSync);
  CHECK_FALSE(work.queue_chosen);
  CHECK(work.depth == 1);
  CHECK(work.zone_mode == ZoneMode::kNone);
  CHECK(work.size == 0);
  CHECK(parsed->report.engine_names[0] == "psync");
  CHECK(parsed->formats == std::vector<ReportFormat>{ReportFormat::kNormal});
  CHECK(parsed->report.significant_figures == 4);
  CHECK(parsed->eta == "auto");
  CHECK(parsed->plan.driver == DriverKind::kThreads);
}

TEST_CASE("without options a job is a default workload that reads", "[fio]") {
  const auto parsed = ParseJob("");
  REQUIRE(parsed.ok());
  Workload expected;
  expected.name = "j";
  expected.target = "f";
  expected.reads = true;
  expected.queue = QueueKind::kSync;
  expected.queue_chosen = false;
  expected.fill.kind = DataFill::Kind::kScramble;
  expected.seed = parsed->plan.workers[0].seed;
  CHECK(parsed->plan.workers[0] == expected);
  CHECK(parsed->report.views == std::vector<WorkerView>{WorkerView()});
}

TEST_CASE("each direction of rw has its pattern", "[fio]") {
  struct Row {
    const char* rw;
    Pattern pattern;
    bool reads, writes, trims;
    std::uint32_t run_length = 1;
    std::int64_t skip = 0;
  };
  const auto kSeq = Pattern::kSequential;
  const auto kRand = Pattern::kRandom;
  const Row rows[] = {
      {"read", kSeq, true, false, false},
      {"write", kSeq, false, true, false},
      {"trim", kSeq, false, false, true},
      {"rw", kSeq, true, true, false},
      {"readwrite", kSeq, true, true, false},
      {"trimwrite", kSeq, false, true, true},
      {"randread", kRand, true, false, false},
      {"randwrite", kRand, false, true, false},
      {"randtrim", kRand, false, false, true},
      {"randrw", kRand, true, true, false},
      {"randtrimwrite", kRand, false, true, true},
      {"randrw:2", kRand, true, true, false, 2},
      {"write:8k", kSeq, false, true, false, 1, 8192},
      {"read:-8k", kSeq, true, false, false, 1, -8192},
  };
  for (const Row& row : rows) {
    CAPTURE(row.rw);
    const auto parsed = ParseJob(std::string("--rw=") + row.rw);
    REQUIRE(parsed.ok());
    const Workload& work = parsed->plan.workers.at(0);
    CHECK(work.pattern == row.pattern);
    CHECK(work.reads == row.reads);
    CHECK(work.writes == row.writes);
    CHECK(work.trims == row.trims);
    CHECK(work.run_length == row.run_length);
    CHECK(work.sequential_skip == row.skip);
  }
  const auto again = ParseJob("--rw=randread:8 --rw=read");  // nothing of the first is left
  REQUIRE(again.ok());
  CHECK(again->plan.workers[0].run_length == 1);
}

TEST_CASE("every value reaches its field", "[fio]") {
  const auto parsed = ParseJob(
      "--rw=randrw --bs=4k,8k --size=50% --offset=2z --io_size=3z --iodepth=7 --ioengine=io_uring "
      "--runtime=5m --time_based --ramp_time=100ms --direct --zonemode=zbd --zonesize=1m "
      "--zonecapacity=768k --max_open_zones=9 --job_max_open_zones=3 --read_beyond_wp "
      "--zone_reset_threshold=.5 --zone_reset_frequency=.25 --rwmixwrite=30 --norandommap "
      "--group_reporting --thread --output-format=json --output=out.json --eta=never "
      "--significant_figures=10");
  REQUIRE(parsed.ok());
  const Workload& work = parsed->plan.workers.at(0);
  CHECK(work.read_block == 4096);
  CHECK(work.write_block == 8192);
  CHECK(work.relative_size == RelativeExtent{50, ExtentUnit::kPercent});
  CHECK(work.relative_offset == RelativeExtent{2, ExtentUnit::kZones});
  CHECK(work.relative_io_size == RelativeExtent{3, ExtentUnit::kZones});
  CHECK(work.size == 0);
  CHECK(work.depth == 7);
  CHECK(work.queue == QueueKind::kIoUring);
  CHECK(work.runtime == std::chrono::minutes(5));
  CHECK(work.time_based);
  CHECK(work.ramp_time == std::chrono::milliseconds(100));
  CHECK(work.direct);
  CHECK(work.zone_size == 1 << 20);
  CHECK(work.zone_capacity == 768 << 10);
  CHECK(work.max_open_zones == 9);
  CHECK(work.worker_max_open_zones == 3);
  CHECK(work.read_beyond_write_pointer);
  CHECK(work.zone_reset_threshold == 0.5);
  CHECK(work.zone_reset_frequency == 0.25);
  CHECK(work.read_percent == 70);
  CHECK(work.may_repeat_blocks);
  CHECK(parsed->report.group_reporting);
  CHECK(parsed->report.significant_figures == 10);
  CHECK(parsed->formats == std::vector<ReportFormat>{ReportFormat::kJson});
  CHECK(parsed->output_path == "out.json");
  CHECK(parsed->eta == "never");
  CHECK(parsed->notices.empty());
}

TEST_CASE("an empty place in bs keeps what was there", "[fio]") {
  const auto parsed = Parse("--filename=f --bs=16k --name=a --bs=,8k --name=b --bs=8k,");
  REQUIRE(parsed.ok());
  CHECK(parsed->plan.workers[0].read_block == 16384);
  CHECK(parsed->plan.workers[0].write_block == 8192);
  CHECK(parsed->plan.workers[1].read_block == 8192);
  CHECK(parsed->plan.workers[1].write_block == 16384);
}

TEST_CASE("numjobs makes clones with seeds of their own", "[fio]") {
  const auto parsed = Parse("--filename=f --name=a --numjobs=3 --name=b --numjobs=2 --randseed=7");
  REQUIRE(parsed.ok());
  REQUIRE(parsed->plan.workers.size() == 5);
  std::set<std::uint64_t> seeds;
  std::vector<std::uint32_t> clones;
  for (const Workload& work : parsed->plan.workers) {
    seeds.insert(work.seed);
    clones.push_back(work.clone);
  }
  CHECK(seeds.size() == 5);
  CHECK(clones == std::vector<std::uint32_t>{0, 1, 2, 0, 1});
  CHECK(parsed->report.job_options.size() == 5);
  CHECK(parsed->report.engine_names.size() == 5);
  CHECK(parsed->report.group_reporting_of.size() == 5);
}

TEST_CASE("seeds repeat unless randrepeat=0, and randseed wins", "[fio]") {
  const auto seed = [](const char* options, std::uint64_t entropy) {
    FioParseOptions with;
    with.entropy = entropy;
    const auto parsed = Parse(std::string("--name=j --filename=f ") + options, with);
    REQUIRE(parsed.ok());
    return parsed->plan.workers.at(0).seed;
  };
  CHECK(seed("", 5) == seed("", 6));
  CHECK(seed("--randrepeat=0", 5) != seed("--randrepeat=0", 6));
  CHECK(seed("--randrepeat=0", 5) == seed("--randrepeat=0", 5));
  CHECK(seed("--randseed=3", 5) != seed("--randseed=4", 5));
  CHECK(seed("--randseed=3 --randrepeat=0", 5) == seed("--randseed=3", 6));
  CHECK(ParseJob("--randseed=99")->plan.seed == 99);
  // A typed seed is kept; one nobody typed has no more bits than JSON readers keep.
  CHECK(ParseJob("--randseed=18446744073709551615")->plan.seed == ~std::uint64_t{0});
  for (const std::uint64_t entropy : {~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    FioParseOptions options;
    options.entropy = entropy;
    const std::vector<std::string> typed = {"--name=a", "--filename=f", "--randrepeat=0"};
    const auto parsed = ParseFioArguments(typed, options);
    REQUIRE(parsed.ok());
    CHECK(parsed->plan.seed < std::uint64_t{1} << 53);
    CHECK(parsed->plan.workers[0].seed < std::uint64_t{1} << 53);
  }
}

TEST_CASE("an engine's name is kept, and whether it was typed", "[fio]") {
  for (const char* engine : {"psync", "sync", "pvsync"}) {
    CAPTURE(engine);
    const auto parsed = ParseJob(std::string("--iodepth=8 --ioengine=") + engine);
    REQUIRE(parsed.ok());
    CHECK(parsed->plan.workers[0].depth ==
          8);  // the run caps it where the device's queue is this one
    CHECK(parsed->plan.workers[0].queue == QueueKind::kSync);
    CHECK(parsed->plan.workers[0].queue_chosen);
    CHECK(parsed->report.engine_names[0] == engine);
    CHECK(Mentions(parsed->notices, "runs as psync") == (std::string(engine) != "psync"));
  }
  const auto sg = ParseJob("--iodepth=64 --ioengine=sg");
  REQUIRE(sg.ok());
  CHECK(sg->plan.workers[0].queue == QueueKind::kLibaio);
  CHECK(Mentions(sg->notices, "sg runs as libaio"));
}

TEST_CASE("options without effect are named", "[fio]") {
  struct Row {
    const char* options;
    const char* says;
  };
  const Row rows[] = {
      {"--max_open_zones=4", "max_open_zones has no effect without --zonemode=zbd"},
      {"--zoneskip=1m", "zoneskip has no effect without --zonemode=strided or zbd"},
      {"--zonemode=strided --zonesize=1m --read_beyond_wp", "read_beyond_wp has no effect"},
      {"--filename=a:b", "each of its 2 files has a worker of its own"},
      {"--zonemode=zbd --job_max_open_zones=2", "valid only for write jobs"},
      {"--thread=0", "jobs are always threads"},
      {"--size=1GiB", "powers of 1000"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.options);
    const auto parsed = ParseJob(row.options);
    REQUIRE(parsed.ok());
    CHECK(Mentions(parsed->notices, row.says));
  }
  const auto global = Parse("--filename=f --max_open_zones=4 --name=a");
  REQUIRE(global.ok());
  CHECK(Mentions(global->notices, "max_open_zones has no effect"));
}

TEST_CASE("options that do not fit together are refused before anything runs", "[fio]") {
  struct Row {
    const char* options;
    const char* says;
  };
  const Row rows[] = {
      {"--zonesize=1m", "--zonemode=none and --zonesize are not compatible (job j"},
      {"--zonesize=0", "--zonemode=none and --zonesize are not compatible (job j"},
      {"--zonemode=strided", "--zonesize must be specified when using --zonemode=strided (job j"},
      {"--zonemode=zbd --zonesize=1",
       "zone size must be at least 512 bytes for --zonemode=zbd (job j"},
      {"--zonemode=zbd --zonesize=1m --zonecapacity=2m", "job j: zonecapacity"},
      {"--zonemode=zbd --zonesize=1m --rw=write --bs=2m", "job j: I/O buflen exceeds zone size"},
      {"--zonemode=zbd --zonesize=1m --zonecapacity=8k --rw=write --bs=16k", "no block would fit"},
      {"--zonemode=zbd --zonesize=1m --zoneskip=1",
       "zoneskip 1 is not a multiple of the device zone size 1048576"},
      {"--zonemode=zbd --zone_reset_threshold=.5", "add zone_reset_frequency"},
      {"--zonemode=zbd --zone_reset_frequency=.5", "needs a zone_reset_threshold"},
      {"--zonemode=zbd --write_zone_remainder --norandommap=0",
       "write_zone_remainder=1 requires norandommap=1"},
      {"--zonemode=zbd --recover_zbd_write_error",
       "recover_zbd_write_error works only when continue_on_error is set"},
      {"--experimental_verify=1", "zonemode=zbd does not support experimental verify"},
      {"--verify_only", "add --verify"},
      {"--verify=md5 --verify_only --time_based --runtime=1", "does not go with time_based"},
      {"--verify=pattern", "needs a verify_pattern"},
      {"--latency_target=100", "needs a latency_window"},
      {"--time_based", "time_based requires a runtime"},
      {"--size=1k", "below the block size"},
      {"--rw=write --zonemode=zbd --numjobs=2 --offset_increment=1z --zone_reset_threshold=.1 "
       "--zone_reset_frequency=1",
       "different write ranges are not supported"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.options);
    const auto parsed = ParseJob(row.options);
    REQUIRE_FALSE(parsed.ok());
    CAPTURE(MessageOf(parsed.status()));
    CHECK(MessageOf(parsed.status()).find(row.says) != std::string::npos);
    CHECK(MessageOf(parsed.status()).find("job j") != std::string::npos);
  }
  CHECK_FALSE(Parse("--name=j --rw=write").ok());  // no file
}

TEST_CASE("reads of blocks that no zone holds are accepted (suite 31)", "[fio]") {
  CHECK(Parse("--filename=f --zonemode=zbd --zonesize=1m --bs=2m --name=j").ok());
  CHECK(
      Parse("--filename=f --zonemode=zbd --zonesize=1m --zonecapacity=8k --bs=16k --name=j").ok());
}

TEST_CASE("jobs that share a device agree on its zones", "[fio]") {
  const std::string common = "--filename=f --zonemode=zbd --zonesize=1m --rw=write ";
  const auto says = [&](const std::string& jobs) {
    const auto parsed = Parse(common + jobs);
    return parsed.ok() ? std::string() : std::string(parsed.status().message());
  };
  CHECK(says("--name=a --max_open_zones=4 --name=b --max_open_zones=5").find("Different") !=
        std::string::npos);
  CHECK(says("--name=a --max_open_zones=4 --name=b --max_open_zones=5 --filename=g").empty());
  CHECK(says("--name=a --name=b --zonesize=2m").find("does not match") != std::string::npos);
  const std::string resets = "--zone_reset_threshold=.5 --zone_reset_frequency=1 ";
  CHECK(says(resets + "--name=a --size=4m --name=b --size=8m").find("different write ranges") !=
        std::string::npos);
  CHECK(says(resets + "--name=a --offset=4m --name=b --offset=4z").find("different write ranges") !=
        std::string::npos);
  CHECK(says(resets + "--name=a --size=4m --name=b --size=8m --rw=read").empty());
  CHECK(says(resets + "--numjobs=2 --size=4m --name=a --name=b").empty());
}

TEST_CASE("group_reporting is a job's own option", "[fio]") {
  const auto parsed = Parse("--filename=f --name=a --group_reporting --numjobs=2 --name=b");
  REQUIRE(parsed.ok());
  CHECK(parsed->report.group_reporting_of == std::vector<bool>{true, true, false});
  CHECK_FALSE(parsed->report.group_reporting);
}

}  // namespace
}  // namespace zonal
