// SPDX-License-Identifier: MIT
// Options of the workload: which field each one sets, and to what. A row is one
// option line and the same thing done by hand to a default workload.
#include <cerrno>
#include <string>

#include "parse.h"
#include "support/catch.h"

namespace zonal {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<std::byte> Bytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

struct Row {
  const char* options;
  void (*by_hand)(Workload& work);
};

void CheckRows(std::span<const Row> rows) {
  const auto bare = ParseJob("");
  REQUIRE(bare.ok());
  for (const Row& row : rows) {
    CAPTURE(row.options);
    const auto parsed = ParseJob(row.options);
    CAPTURE(parsed.status().ToString());
    REQUIRE(parsed.ok());
    Workload expected = bare->plan.workers[0];
    row.by_hand(expected);
    CHECK_FALSE(expected == bare->plan.workers[0]);
    CHECK(parsed->plan.workers[0] == expected);
  }
}

TEST_CASE("block sizes reach their directions", "[fio]") {
  const Row rows[] = {
      {"--bs=8k,32k",
       [](Workload& w) {
         w.read_block = 8192;
         w.write_block = w.trim_block = 32768;
       }},
      {"--bs=,8k,", [](Workload& w) { w.write_block = 8192; }},
      {"--bsrange=1k-4k,64k:8k",
       [](Workload& w) {
         w.read_block = BlockSize(1024, 4096);
         w.write_block = w.trim_block = BlockSize(8192, 65536);
       }},
      {"--bsrange=1k-4k/8k-32k",
       [](Workload& w) {
         w.read_block = BlockSize(1024, 4096);
         w.write_block = w.trim_block = BlockSize(8192, 32768);
       }},
      {"--bssplit=4k/75:16k,",
       [](Workload& w) {
         w.read_block = BlockSize(4096, 16384);
         w.read_block.shares = {{4096, 75}, {16384, 25}};
       }},
      {"--bs_unaligned", [](Workload& w) { w.unaligned_blocks = true; }},
      {"--ba=8k,16k",
       [](Workload& w) {
         w.block_align = {8192, 16384, 16384};
       }},
  };
  CheckRows(rows);
  const auto last = ParseJob("--bssplit=4k/50:8k/50 --bs=16k");  // the last one wins whole
  REQUIRE(last.ok());
  CHECK(last->plan.workers[0].read_block == BlockSize(16384));
}

TEST_CASE("ranges and amounts", "[fio]") {
  const Row rows[] = {
      {"--offset_increment=10z",
       [](Workload& w) {
         w.relative_offset_increment = RelativeExtent{10, ExtentUnit::kZones};
       }},
      {"--offset_increment=1m", [](Workload& w) { w.offset_increment = 1 << 20; }},
      {"--fileoffset=1m", [](Workload& w) { w.offset = 1 << 20; }},
      {"--number_ios=7", [](Workload& w) { w.most_operations = 7; }},
      {"--loops=9", [](Workload& w) { w.loops = 9; }},
      {"--fill_device", [](Workload& w) { w.fills_device = true; }},
      {"--allow_file_create=0", [](Workload& w) { w.may_create = false; }},
      {"--filesize=8m --size=2m",
       [](Workload& w) {
         w.size = 8 << 20;
         w.io_size = 2 << 20;
       }},
      {"--filesize=8m --io_size=1m",
       [](Workload& w) {
         w.size = 8 << 20;
         w.io_size = 1 << 20;
       }},
  };
  CheckRows(rows);
}

TEST_CASE("random offsets", "[fio]") {
  const Row rows[] = {
      {"--random_distribution=zipf:1.2",
       [](Workload& w) {
         for (RandomDistribution& d : w.distribution) {
           d.kind = RandomDistribution::Kind::kZipf;
           d.parameter = 1.2;
         }
         w.may_repeat_blocks = true;
       }},
      {"--random_distribution=random,zoned:60/10:40/90,",
       [](Workload& w) {
         w.distribution[1].kind = RandomDistribution::Kind::kZones;
         w.distribution[1].shares = {{60, 10}, {40, 90}};
         w.may_repeat_blocks = true;
       }},
      {"--percentage_random=50,20",
       [](Workload& w) {
         w.random_percent = {50, 20, 20};
       }},
      {"--norandommap", [](Workload& w) { w.may_repeat_blocks = true; }},
      {"--rw_sequencer=identical", [](Workload& w) { w.repeats_offset = true; }},
      {"--rwmixread=70", [](Workload& w) { w.read_percent = 70; }},
  };
  CheckRows(rows);
}

TEST_CASE("queue and batches", "[fio]") {
  const Row rows[] = {
      {"--iodepth=1k", [](Workload& w) { w.depth = 1024; }},
      {"--iodepth_batch=4", [](Workload& w) { w.batching.submit = 4; }},
      {"--iodepth_batch_submit=4", [](Workload& w) { w.batching.submit = 4; }},
      {"--iodepth_batch_complete=0", [](Workload& w) { w.batching.complete_min = 0; }},
      {"--iodepth_batch_complete_min=3 --iodepth_batch_complete_max=8",
       [](Workload& w) {
         w.batching.complete_min = 3;
         w.batching.complete_max = 8;
       }},
      {"--iodepth_low=2", [](Workload& w) { w.batching.low_depth = 2; }},
      {"--buffered=0", [](Workload& w) { w.direct = true; }},
  };
  CheckRows(rows);
}

TEST_CASE("pace", "[fio]") {
  const Row rows[] = {
      {"--rate=1m,500k",
       [](Workload& w) {
         w.pace.bytes_per_second = {1 << 20, 500 << 10, 500 << 10};
       }},
      {"--rate=,500k,",
       [](Workload& w) {
         w.pace.bytes_per_second = {0, 500 << 10, 0};
       }},
      {"--rate_iops=100",
       [](Workload& w) {
         w.pace.ios_per_second = {100, 100, 100};
       }},
      {"--rate_min=1m --rate_iops_min=5 --rate_cycle=200",
       [](Workload& w) {
         w.pace.least_bytes_per_second = {1 << 20, 1 << 20, 1 << 20};
         w.pace.least_ios_per_second = {5, 5, 5};
         w.pace.least_window = milliseconds(200);
       }},
      {"--rate_process=poisson", [](Workload& w) { w.pace.poisson = true; }},
      {"--rate_ignore_thinktime", [](Workload& w) { w.pace.ignore_think_time = true; }},
      {"--thinktime=100 --thinktime_spin=20 --thinktime_blocks=4 --thinktime_blocks_type=issue",
       [](Workload& w) {
         w.pace.think_time = microseconds(100);
         w.pace.think_spin = microseconds(20);
         w.pace.think_blocks = 4;
         w.pace.think_after_issue = true;
       }},
      {"--thinktime_iotime=9", [](Workload& w) { w.pace.think_io_time = seconds(9); }},
      {"--flow=128 --flow_id=3 --flow_sleep=50",
       [](Workload& w) {
         w.pace.flow = 128;
         w.pace.flow_id = 3;
         w.pace.flow_sleep = microseconds(50);
       }},
      {"--latency_target=500 --latency_window=10ms --latency_percentile=99.5 --latency_run",
       [](Workload& w) {
         w.pace.latency_target = microseconds(500);
         w.pace.latency_window = milliseconds(10);
         w.pace.latency_percentile = 99.5;
         w.pace.latency_run = true;
       }},
      {"--max_latency=5ms", [](Workload& w) { w.pace.max_latency = milliseconds(5); }},
  };
  CheckRows(rows);
}

TEST_CASE("zones", "[fio]") {
  const Row rows[] = {
      {"--zonemode=strided --zonesize=1m --zonerange=2m --zoneskip=3m",
       [](Workload& w) {
         w.zone_mode = ZoneMode::kStrided;
         w.zone_size = 1 << 20;
         w.zone_range = 2 << 20;
         w.zone_skip = 3 << 20;
       }},
      {"--zonemode=zbd --zoneskip=2z",
       [](Workload& w) {
         w.zone_mode = ZoneMode::kZbd;
         w.relative_zone_skip = RelativeExtent{2, ExtentUnit::kZones};
       }},
      {"--zonemode=zbd --ignore_zone_limits=1 --max_open_zones=5000",
       [](Workload& w) {
         w.zone_mode = ZoneMode::kZbd;
         w.ignore_device_limits = true;
         w.max_open_zones = 5000;
       }},
      {"--zonemode=zbd --write_zone_remainder=1",
       [](Workload& w) {
         w.zone_mode = ZoneMode::kZbd;
         w.write_zone_remainder = true;
         w.may_repeat_blocks = true;
       }},
      {"--zonemode=zbd --recover_zbd_write_error=1 --continue_on_error=1",
       [](Workload& w) {
         w.zone_mode = ZoneMode::kZbd;
         w.recover_write_errors = true;
         w.errors.go_on = {true, true, true};
         w.errors.go_on_after_mismatch = true;
       }},
  };
  CheckRows(rows);
}

TEST_CASE("contents of buffers: which option wins", "[fio]") {
  using Kind = DataFill::Kind;
  const Row rows[] = {
      {"--scramble_buffers=0", [](Workload& w) { w.fill.kind = Kind::kRandom; }},
      {"--zero_buffers", [](Workload& w) { w.fill.kind = Kind::kZeros; }},
      {"--refill_buffers", [](Workload& w) { w.fill.kind = Kind::kRefill; }},
      {"--zero_buffers --refill_buffers", [](Workload& w) { w.fill.kind = Kind::kZeros; }},
      {"--buffer_pattern=0xabcd --zero_buffers",
       [](Workload& w) {
         w.fill.kind = Kind::kPattern;
         w.fill.pattern = Bytes({0xab, 0xcd});
       }},
      {"--buffer_compress_percentage=30 --buffer_compress_chunk=4k",
       [](Workload& w) {
         w.fill.kind = Kind::kRefill;
         w.fill.compress_percent = 30;
         w.fill.compress_chunk = 4096;
       }},
      {"--dedupe_percentage=20",
       [](Workload& w) {
         w.fill.kind = Kind::kRefill;
         w.fill.dedupe_percent = 20;
       }},
  };
  CheckRows(rows);
}

TEST_CASE("verification", "[fio]") {
  struct Name {
    const char* name;
    Checksum checksum;
  };
  const Name names[] = {
      {"md5", Checksum::kMd5},
      {"sha1", Checksum::kSha1},
      {"sha256", Checksum::kSha256},
      {"sha512", Checksum::kSha512},
      {"crc32", Checksum::kCrc32},
      {"crc32c", Checksum::kCrc32c},
      {"crc32c-intel", Checksum::kCrc32c},
      {"crc64", Checksum::kCrc64},
      {"xxhash", Checksum::kXxhash},
      {"meta", Checksum::kHeaderOnly},
      {"0", Checksum::kNone},
  };
  for (const Name& row : names) {
    CAPTURE(row.name);
    const auto parsed = ParseJob(std::string("--rw=write --verify=") + row.name);
    REQUIRE(parsed.ok());
    CHECK(parsed->plan.workers[0].verify.checksum == row.checksum);
  }
  const Row rows[] = {
      {"--verify=pattern --verify_pattern=0xff%o",
       [](Workload& w) {
         w.verify.checksum = Checksum::kPattern;
         w.verify.pattern = Bytes({0xff, 0, 0, 0, 0, 0, 0, 0, 0});
         w.verify.pattern_has_offset = true;
         w.verify.pattern_offset_at = 1;
       }},
      {"--verify=md5 --do_verify=0",
       [](Workload& w) {
         w.verify.checksum = Checksum::kMd5;
         w.verify.reads_back = false;
       }},
      {"--verify=md5 --verify_only",
       [](Workload& w) {
         w.verify.checksum = Checksum::kMd5;
         w.verify.only = true;
       }},
      {"--verify_interval=4k --verify_offset=64",
       [](Workload& w) {
         w.verify.interval = 4096;
         w.verify.offset = 64;
       }},
      {"--verify_backlog=2 --verify_backlog_batch=1 --verify_fatal --verify_dump",
       [](Workload& w) {
         w.verify.backlog = 2;
         w.verify.backlog_batch = 1;
         w.verify.fatal = true;
         w.verify.dump = true;
       }},
      {"--verify_state_save=1 --verify_state_load=1 --aux-path=/tmp",
       [](Workload& w) {
         w.verify.state_save = w.verify.state_load = "/tmp/local-j-0-verify.state";
       }},
  };
  CheckRows(rows);
}

TEST_CASE("errors a job survives", "[fio]") {
  const Row rows[] = {
      {"--continue_on_error=write",
       [](Workload& w) {
         w.errors.go_on = {false, true, false};
       }},
      {"--continue_on_error=io",
       [](Workload& w) {
         w.errors.go_on = {true, true, true};
       }},
      {"--continue_on_error=verify", [](Workload& w) { w.errors.go_on_after_mismatch = true; }},
      {"--ignore_error=,EIO:61",
       [](Workload& w) {
         w.errors.ignored = {{{}, {EIO, 61}, {}}};
       }},
      {"--exitall_on_error=1", [](Workload& w) { w.errors.ends_all = true; }},
  };
  CheckRows(rows);
  CHECK(ParseJob("--continue_on_error=1")->report.views[0].error_counts);
}

TEST_CASE("durability, host and commands", "[fio]") {
  const Row rows[] = {
      {"--fsync=4", [](Workload& w) { w.flush_every = 4; }},
      {"--fdatasync=4", [](Workload& w) { w.flush_every = 4; }},
      {"--end_fsync=1", [](Workload& w) { w.flush_at_end = true; }},
      {"--fsync_on_close=1", [](Workload& w) { w.flush_at_end = true; }},
      {"--sync=dsync", [](Workload& w) { w.forced_writes = true; }},
      {"--cpus_allowed=0,2-3",
       [](Workload& w) {
         w.cpus = {0, 2, 3};
       }},
      {"--cpumask=34",
       [](Workload& w) {
         w.cpus = {1, 5};
       }},
      {"--nice=-5", [](Workload& w) { w.nice = -5; }},
      {"--exec_prerun=true --exec_postrun=false",
       [](Workload& w) {
         w.command_before = "true";
         w.command_after = "false";
       }},
  };
  CheckRows(rows);
  const auto split = ParseJob("--cpus_allowed=4,6 --cpus_allowed_policy=split --numjobs=3");
  REQUIRE(split.ok());
  CHECK(split->plan.workers[0].cpus == std::vector<std::uint32_t>{4});
  CHECK(split->plan.workers[1].cpus == std::vector<std::uint32_t>{6});
  CHECK(split->plan.workers[2].cpus == std::vector<std::uint32_t>{4});
}

TEST_CASE("logs over time", "[fio]") {
  const Row rows[] = {
      {"--write_bw_log=x --log_avg_msec=500",
       [](Workload& w) {
         w.logs.bandwidth = "x";
         w.logs.average_over = milliseconds(500);
       }},
      {"--write_lat_log --write_iops_log=",
       [](Workload& w) { w.logs.latency = w.logs.iops = "j"; }},
      {"--write_hist_log=h --log_hist_msec=1s",
       [](Workload& w) {
         w.logs.histogram = "h";
         w.logs.histogram_every = seconds(1);
       }},
      {"--log_offset=1 --per_job_logs=0 --log_max_value=1",
       [](Workload& w) {
         w.logs.with_offsets = true;
         w.logs.per_worker = false;
         w.logs.highest = true;
       }},
  };
  CheckRows(rows);
}

TEST_CASE("what the report shows is a view", "[fio]") {
  const auto view = [](const char* options) {
    const auto parsed = ParseJob(options);
    REQUIRE(parsed.ok());
    return parsed->report.views.at(0);
  };
  CHECK_FALSE(view("--gtod_reduce=1").completion);
  CHECK_FALSE(view("--gtod_reduce=1").total);
  CHECK_FALSE(view("--disable_lat=1").total);
  CHECK(view("--disable_lat=1").completion);
  CHECK(view("--gtod_reduce=0").completion);
  CHECK(view("--lat_percentiles=1").total_percentiles);
  CHECK_FALSE(view("--clat_percentiles=0").completion_percentiles);
  CHECK(view("--slat_percentiles=1").submission_percentiles);
  CHECK(view("--percentile_list=50:99.9").percentiles == std::vector<double>{50, 99.9});
  CHECK(view("--unit_base=1").rates_in_bits);
  CHECK(view("--kb_base=1000").kb_base == 1000);
  CHECK(view("--description=hot").description == "hot");
}

TEST_CASE("files: names, directories, several", "[fio]") {
  const auto targets = [](const std::string& line) {
    const auto parsed = Parse(line);
    CAPTURE(line, parsed.status().ToString());
    REQUIRE(parsed.ok());
    std::vector<std::string> result;
    for (const Workload& work : parsed->plan.workers) result.push_back(work.target);
    return result;
  };
  using Names = std::vector<std::string>;
  CHECK(targets("--name=j --size=1m --numjobs=2") == Names{"j.0.0", "j.1.0"});
  CHECK(targets("--name=j --size=1m --nrfiles=2 --directory=/a:/b/ --numjobs=2") ==
        Names{"/a/j.0.0", "/a/j.0.1", "/b/j.1.0", "/b/j.1.1"});
  CHECK(targets("--name=j --size=1m --filename_format=d.$jobname.$filenum") == Names{"d.j.0"});
  CHECK(targets("--name=j --filename=x --directory=/a:/b --numjobs=2") == Names{"/a/x", "/a/x"});
  CHECK(targets("--name=j --filename=/x:emu,zones=4 --directory=/a") == Names{"/x", "emu,zones=4"});
  CHECK(targets("--name=j --filename=a\\:b:c") == Names{"a:b", "c"});
}

TEST_CASE("each of several files has its part of the job", "[fio]") {
  const auto parsed = Parse(
      "--name=j --filename=a:b --size=8m --io_size=4m --iodepth=5 --rate=10m --number_ios=100 "
      "--rw=write --numjobs=2 --offset_increment=1m");
  REQUIRE(parsed.ok());
  REQUIRE(parsed->plan.workers.size() == 4);
  const Workload& work = parsed->plan.workers[3];
  CHECK(work.target == "b");
  CHECK(work.clone == 1);
  CHECK(work.size == 4 << 20);
  CHECK(work.io_size == 2 << 20);
  CHECK(work.depth == 3);
  CHECK(work.most_operations == 50);
  CHECK(work.pace.bytes_per_second[1] == 5 << 20);
  CHECK(parsed->plan.workers[0].seed != parsed->plan.workers[1].seed);
}

TEST_CASE("files to remove are named", "[fio]") {
  CHECK(Parse("--name=j --size=1m --unlink=1")->unlink_after == std::vector<std::string>{"j.0.0"});
  CHECK(ParseJob("")->unlink_after.empty());
}

}  // namespace
}  // namespace zonal
