// SPDX-License-Identifier: MIT
#include "stats/log_files.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/catch.h"

namespace zonal::stats {
namespace {

class Directory {
 public:
  Directory() {
    path_ = std::filesystem::temp_directory_path() / ("zonal-logs-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string name(const std::string& file) const { return (path_ / file).string(); }
  std::string Read(const std::string& file) const {
    std::ifstream stream(path_ / file);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  std::size_t size() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

Operation Done(Direction direction, std::int64_t at_ms) {
  Operation operation;
  operation.direction = direction;
  operation.bytes = 4096;
  operation.offset = 65536;
  operation.completed = Instant{at_ms * 1'000'000};
  operation.submitted = Instant{operation.completed.ns - 100'000};
  operation.drawn = Instant{operation.submitted.ns - 1'000};
  return operation;
}

TEST_CASE("time logs have fio's names and lines", "[stats]") {
  const Directory directory;
  std::vector<Workload> workers(3);
  workers[0].logs.bandwidth = workers[0].logs.iops = directory.name("a");
  workers[0].logs.latency = directory.name("b");
  workers[1].logs.latency = directory.name("b");
  workers[1].logs.with_offsets = true;
  {
    auto files = LogFiles::Create(workers);
    REQUIRE(files.ok());
    CHECK_FALSE((*files)->empty());
    CHECK((*files)->of(2) == nullptr);
    for (const std::size_t worker : {0u, 1u}) {
      TimeLog& log = *(*files)->of(worker);
      log.Start(Instant{0});
      log.Record(Done(Direction::kRead, 3));
      log.Record(Done(Direction::kWrite, 5));
    }
    (*files)->Write();
    CHECK((*files)->Complaints().empty());
  }
  CHECK(directory.size() == 8);
  CHECK(directory.Read("a_bw.1.log") == "3, 40000, 0, 4096, 0\n5, 40000, 1, 4096, 0\n");
  CHECK(directory.Read("a_iops.1.log") == "3, 1, 0, 4096, 0\n5, 1, 1, 4096, 0\n");
  CHECK(directory.Read("b_slat.1.log") == "3, 1000, 0, 4096, 0\n5, 1000, 1, 4096, 0\n");
  CHECK(directory.Read("b_clat.1.log") == "3, 100000, 0, 4096, 0\n5, 100000, 1, 4096, 0\n");
  CHECK(directory.Read("b_lat.2.log") ==
        "3, 101000, 0, 4096, 65536, 0\n5, 101000, 1, 4096, 65536, 0\n");
}

TEST_CASE("workers share a file where they have none of their own", "[stats]") {
  const Directory directory;
  std::vector<Workload> workers(2);
  for (Workload& worker : workers) {
    worker.logs.iops = directory.name("all");
    worker.logs.per_worker = false;
  }
  auto files = LogFiles::Create(workers);
  REQUIRE(files.ok());
  for (const std::size_t worker : {0u, 1u}) {
    (*files)->of(worker)->Start(Instant{0});
    (*files)->of(worker)->Record(Done(Direction::kRead, 3));
  }
  (*files)->Write();
  CHECK(directory.size() == 1);
  CHECK(directory.Read("all_iops.log") == "3, 1, 0, 4096, 0\n3, 1, 0, 4096, 0\n");
}

TEST_CASE("a line of the histogram log has all bins", "[stats]") {
  const Directory directory;
  std::vector<Workload> workers(1);
  workers[0].logs.histogram = directory.name("h");
  workers[0].logs.histogram_every = std::chrono::milliseconds(10);
  auto files = LogFiles::Create(workers);
  REQUIRE(files.ok());
  TimeLog& log = *(*files)->of(0);
  log.Start(Instant{0});
  log.Record(Done(Direction::kWrite, 3));
  log.Finish(Instant{20'000'000});
  (*files)->Write();
  const std::string line = directory.Read("h_clat_hist.1.log");
  CHECK(line.rfind("20, 1, 4096, 0, 0, ", 0) == 0);
  CHECK(std::count(line.begin(), line.end(), ',') == 2 + Histogram::kBucketCount);
  CHECK(std::count(line.begin(), line.end(), '\n') == 1);
  CHECK(std::count(line.begin(), line.end(), '1') == 2);  // the direction, and the one write
}

TEST_CASE("a log that cannot be created is refused, one that breaks is named", "[stats]") {
  const Directory directory;
  std::vector<Workload> workers(1);
  workers[0].logs.iops = directory.name("missing/x");
  const auto refused = LogFiles::Create(workers);
  REQUIRE_FALSE(refused.ok());
  CHECK(std::string(refused.status().message()).find("missing/x_iops.1.log") != std::string::npos);

  if (!std::filesystem::exists("/dev/full")) return;
  std::filesystem::create_symlink("/dev/full", directory.name("full_iops.1.log"));
  workers[0].logs.iops = directory.name("full");
  auto files = LogFiles::Create(workers);
  REQUIRE(files.ok());
  (*files)->of(0)->Start(Instant{0});
  (*files)->of(0)->Record(Done(Direction::kRead, 3));
  (*files)->Write();
  const std::vector<std::string> complaints = (*files)->Complaints();
  REQUIRE(complaints.size() == 1);
  CHECK(complaints[0].find("full_iops.1.log: No space left on device") != std::string::npos);
}

}  // namespace
}  // namespace zonal::stats
