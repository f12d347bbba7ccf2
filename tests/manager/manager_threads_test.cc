// SPDX-License-Identifier: MIT
// Many threads, real waiting. Each thread logs what the device told it; at the
// end every zone's log must be a legal order: within an epoch the extents tile
// the zone from its start without gap or overlap. A thread that sleeps longer
// than the bound was forgotten.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.h"
#include "zonal/emulated.h"
#include "zonal/fault.h"
#include "zonal/rng.h"
#include "zonal/zone_queue.h"

namespace zonal {
namespace {

constexpr std::uint64_t kBlock = 512;
constexpr auto kBound = std::chrono::seconds(10);

struct Extent {
  std::uint32_t zone, epoch;
  std::uint64_t offset, bytes;
};

struct Load {
  std::string name;
  std::uint32_t threads = 3;
  std::uint32_t zones = 6;
  Limit max_open = Limit::Of(3);
  std::uint32_t write_targets = 0;
  bool append = false;
  std::uint64_t writes_each = 4000;
  std::uint32_t depth = 4;
};

struct ThreadResult {
  std::vector<Extent> extents;
  std::string problem;
};

class Worker {
 public:
  Worker(ZoneManager& manager, const Load& load, std::uint64_t seed)
      : manager_(manager), load_(load), rng_(seed) {}

  ThreadResult Run() {
    auto queue =
        ZoneQueue::Create(manager_, {{QueueKind::kDefault, load_.depth, nullptr}, nullptr});
    if (!queue.ok()) return {{}, "no queue"};
    queue_ = *std::move(queue);
    while (result_.problem.empty() && (done_ < load_.writes_each || queue_->in_flight() != 0))
      Step();
    queue_.reset();
    return std::move(result_);
  }

 private:
  void Step() {
    WaitKey wait{};
    if (issued_ < load_.writes_each && !queue_->full()) wait = Issue();
    const bool sleep = queue_->full() || issued_ == load_.writes_each ||
                       (wait.kind != WaitKey::Kind::kNone && queue_->Park(wait));
    std::array<ZoneCompletion, 8> out;
    const std::size_t n =
        queue_->Poll(out, sleep ? 1 : 0, sleep ? nanoseconds(kBound) : nanoseconds(0));
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < n; ++i) Note(out[i]);
    if (n != 0 || !sleep) last_progress_ = now;
    if (now - last_progress_ > kBound) result_.problem = "slept too long without a completion";
  }

  WaitKey Issue() {
    ZoneId zone(static_cast<std::uint32_t>(rng_.Below(load_.zones)));
    if (load_.write_targets != 0) {
      const Admission claim = queue_->ClaimTarget(zone);
      if (claim.errc == Errc::kNoSlot) {
        if (queue_->Targets().empty() && !queue_->ClaimUnclaimed({ZoneId(0), load_.zones})) {
          return claim.wait;
        }
        zone = queue_->Targets()[rng_.Below(queue_->Targets().size())];
      } else if (!claim.ok()) {
        return Refused(zone, claim);
      }
    }
    WriteOptions options;
    options.keep = load_.write_targets != 0 || rng_.Chance(1, 4);
    const Admission admission = load_.append
                                    ? queue_->Append(zone, buffer_.data(), kBlock, issued_)
                                    : queue_->Write(zone, buffer_.data(), kBlock, issued_, options);
    if (!admission.ok()) return Refused(zone, admission);
    // Until the write completes no reset can come between: this is its epoch.
    epochs_[issued_ % epochs_.size()] = manager_.EpochOf(zone);
    ++issued_;
    return {};
  }

  // A full zone, or slots that idle zones hold, want a reset.
  WaitKey Refused(ZoneId zone, const Admission& admission) {
    if (admission.errc == Errc::kZoneFull || admission.errc == Errc::kNoSlot) {
      queue_->Manage(zone, ZoneOp::kReset, 0);
      return {};
    }
    return admission.wait;
  }

  void Note(const ZoneCompletion& completion) {
    if (completion.op == IoOp::kManage) {
      if (!completion.result.ok()) result_.problem = "a reset failed";
      return;
    }
    ++done_;
    if (!completion.result.ok()) {
      result_.problem = "a write failed: " + std::string(ToString(completion.result.errc));
      return;
    }
    result_.extents.push_back({completion.zone.value(),
                               epochs_[completion.user_data % epochs_.size()],
                               completion.result.offset, completion.result.bytes});
  }

  ZoneManager& manager_;
  const Load load_;
  Rng rng_;
  std::unique_ptr<ZoneQueue> queue_;
  std::array<std::byte, kBlock> buffer_{};
  std::array<std::uint32_t, 64> epochs_{};  // of the writes in flight
  ThreadResult result_;
  std::uint64_t issued_ = 0, done_ = 0;
  std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
};

void RunLoad(const Load& load) {
  const char* text = std::getenv("ZONAL_SEED");
  const std::uint64_t seed = text == nullptr ? 1 : std::strtoull(text, nullptr, 0);
  INFO(load.name << ", ZONAL_SEED=" << seed);
  EmulatedOptions options;
  options.zones = load.zones;
  options.block = kBlock;
  options.zone_size = 64 * kBlock;
  options.max_open = load.max_open;
  options.max_active = Limit::Unlimited();
  options.seed = seed;
  auto made = NewEmulatedDevice(options, MonotonicClock());
  REQUIRE(made.ok());
  std::shared_ptr<Device> device = *std::move(made);
  ManagerOptions manager_options;
  manager_options.write_targets = load.write_targets;
  manager_options.writers = load.threads;
  auto manager = ZoneManager::Create(device, manager_options);
  REQUIRE(manager.ok());

  std::vector<ThreadResult> results(load.threads);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < load.threads; ++t) {
    threads.emplace_back([&, t] { results[t] = Worker(**manager, load, seed * 1000 + t).Run(); });
  }
  for (std::thread& thread : threads) thread.join();

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Extent>> lives;
  std::uint64_t writes = 0;
  for (const ThreadResult& result : results) {
    CHECK(result.problem == "");
    writes += result.extents.size();
    for (const Extent& e : result.extents) lives[{e.zone, e.epoch}].push_back(e);
  }
  CHECK(writes == load.threads * load.writes_each);
  std::size_t illegal = 0;
  for (auto& life : lives) {
    std::vector<Extent>& extents = life.second;
    std::sort(extents.begin(), extents.end(),
              [](const Extent& a, const Extent& b) { return a.offset < b.offset; });
    std::uint64_t next = device->info().geometry.StartOf(ZoneId(life.first.first));
    for (const Extent& e : extents) {
      if (e.offset != next) ++illegal;
      next = e.offset + e.bytes;
    }
  }
  CHECK(illegal == 0);
  const auto counters = device->Counters();
  REQUIRE(counters.ok());
  CHECK(counters->rule_violations == 0);
  CHECK(counters->writes == writes);
  if (load.max_open.has_count()) CHECK(counters->open_high_water <= *load.max_open.count());
  if (load.write_targets != 0) CHECK((*manager)->TargetZones().size() <= load.write_targets);
}

TEST_CASE("threads share zones under an open limit", "[threads]") {
  Load load;
  load.name = "three threads, three open zones";
  RunLoad(load);
}

TEST_CASE("threads share one zone", "[threads]") {
  Load load;
  load.name = "one zone";
  load.zones = 1;
  load.max_open = Limit::Of(1);
  RunLoad(load);
}

TEST_CASE("more threads than targets all get their turn", "[threads]") {
  Load load;
  load.name = "four threads, two targets";
  load.threads = 4;
  load.write_targets = 2;
  RunLoad(load);
  load.name = "four threads, one target";
  load.write_targets = 1;
  RunLoad(load);
}

TEST_CASE("threads append to shared zones", "[threads]") {
  Load load;
  load.name = "append";
  load.append = true;
  load.max_open = Limit::Unlimited();
  RunLoad(load);
}

}  // namespace
}  // namespace zonal
