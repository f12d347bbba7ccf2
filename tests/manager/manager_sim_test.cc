// SPDX-License-Identifier: MIT
// Seeded interleavings on one thread: four actors write, append, read, reset,
// finish, lease and claim four zones of an emulated drive whose completions come
// in seeded order. Below them every command is checked against the naive model;
// above, the manager's view is checked after every step. A parked actor runs
// again only when it was woken, so a lost wake-up ends the run as a deadlock.
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "manager/manager_core.h"
#include "model/naive_zone.h"
#include "support/catch.h"
#include "support/oracle_device.h"
#include "support/wake_spy.h"
#include "zonal/emulated.h"
#include "zonal/fault.h"
#include "zonal/rng.h"
#include "zonal/zone_queue.h"

namespace zonal {
namespace {

constexpr std::uint32_t kBlock = 512;
constexpr std::uint32_t kZones = 4;
constexpr std::uint32_t kDepth = 4;

struct Scenario {
  std::string name;
  Dialect dialect = Dialect::kZns;
  std::uint64_t zone_blocks = 16;
  std::uint64_t capacity_blocks = 12;
  Limit max_open = Limit::Of(2);
  Limit max_active = Limit::Of(3);
  std::uint32_t write_targets = 0;
  std::uint32_t actors = 4;
  bool append = false;
  bool operations = true;
  bool faults = false;
};

class Actor {
 public:
  Actor(ZoneManager& manager, const Scenario& scenario, std::uint64_t seed)
      : manager_(manager), scenario_(scenario), rng_(seed), buffers_((kDepth + 1) * 4 * kBlock) {
    auto queue = ZoneQueue::Create(manager, {{QueueKind::kDefault, kDepth, nullptr}, nullptr});
    REQUIRE(queue.ok());
    queue_ = *std::move(queue);
  }

  bool asleep() const { return asleep_; }
  bool finished() const { return goal_ == 0 && queue_->in_flight() == 0; }
  ZoneQueue& queue() { return *queue_; }
  std::string Describe() const {
    return "[queue " + std::to_string(queue_->id()) + ": to do " + std::to_string(goal_) +
           ", in flight " + std::to_string(queue_->in_flight()) +
           (asleep_ ? ", asleep " + std::to_string(static_cast<int>(waits_for_.kind)) + "/" +
                          std::to_string(waits_for_.zone.value())
                    : "") +
           (leased_ ? ", leasing" : "") + ", claims " + std::to_string(queue_->Targets().size()) +
           "]";
  }
  std::uint64_t writes() const { return writes_; }
  std::uint64_t failures() const { return failures_; }

  bool Runnable() {
    if (finished()) return false;
    if (!asleep_) return true;
    asleep_ = !(queue_->io_queue().in_flight() != 0 ||
                static_cast<test::WakeSpyQueue&>(queue_->io_queue()).TakeWoken());
    return !asleep_;
  }

  void Step() {
    asleep_ = false;
    // Two that lease each other's next zone would wait for ever.
    if (goal_ == 0 && leased_) {
      GiveUpEverything();
      leased_ = false;
    }
    if (goal_ != 0 && !queue_->full() && rng_.Chance(3, 4)) {
      Act();
    }
    if (rng_.Chance(1, 2)) queue_->Submit();
    if (asleep_ || goal_ == 0 || rng_.Chance(1, 2)) Poll(asleep_);
  }

  // Has done its part: takes what was handed to it and holds nothing.
  void Retire() {
    ZoneCompletion none;
    queue_->Poll({&none, 1}, 0, nanoseconds(0));
    GiveUpEverything();
  }

  void GiveUpEverything() {
    for (std::uint32_t z = 0; z < kZones; ++z) queue_->Release(ZoneId(z));
    queue_->ReleaseTargets();
  }

 private:
  // A buffer no request in flight uses; it is taken once the request is admitted.
  void* Buffer() {
    tag_ = 0;
    while (busy_[tag_]) ++tag_;
    std::byte* at = buffers_.data() + tag_ * 4 * kBlock;
    std::memset(at, static_cast<int>(rng_.Below(256)), 4 * kBlock);
    return at;
  }
  std::uint64_t Tag() const { return tag_; }
  template <typename Request>
  Admission WithBuffer(Request request) {
    const Admission admission = request(Buffer());
    if (admission.ok()) busy_[tag_] = true;
    return admission;
  }

  void Act() {
    const ZoneId zone(static_cast<std::uint32_t>(rng_.Below(kZones)));
    const std::uint64_t bytes = (1 + rng_.Below(3)) * kBlock;
    const std::uint64_t choice = rng_.Below(20);
    if (choice < 10) {
      Note(DoWrite(zone, bytes), true);
    } else if (choice < 12 && scenario_.append) {
      Note(WithBuffer([&](void* b) { return queue_->Append(zone, b, bytes, Tag()); }), true);
    } else if (choice < 14) {
      DoRead(zone);
    } else if (choice < 17 && scenario_.operations) {
      static constexpr ZoneOp kOps[] = {ZoneOp::kReset, ZoneOp::kReset, ZoneOp::kFinish,
                                        ZoneOp::kClose, ZoneOp::kOpen};
      const ZoneOp op = kOps[rng_.Below(5)];
      // Closing needs an open zone; anything else would be a rule violation of ours.
      const bool sensible = op == ZoneOp::kReset || op == ZoneOp::kFinish;
      if (sensible) Note(queue_->Manage(zone, op, kDepth), true);
    } else if (choice == 17 && scenario_.write_targets == 0) {
      if (queue_->Acquire(zone).ok()) leased_ = true;
    } else if (choice == 18) {
      GiveUpEverything();
    } else {
      Note(queue_->Manage(zone, ZoneOp::kReset, kDepth), true);
    }
  }

  Admission DoWrite(ZoneId zone, std::uint64_t bytes) {
    if (scenario_.write_targets != 0) {
      const Admission claimed = queue_->ClaimTarget(zone);
      if (!claimed.ok()) {
        if (claimed.errc != Errc::kNoSlot) return claimed;
        if (queue_->Targets().empty()) {
          if (!queue_->ClaimUnclaimed({ZoneId(0), kZones}).has_value()) return claimed;
        }
        zone = queue_->Targets()[rng_.Below(queue_->Targets().size())];
      }
    }
    WriteOptions options;
    options.min_bytes = kBlock;
    options.keep = rng_.Chance(1, 2);
    return WithBuffer([&](void* b) { return queue_->Write(zone, b, bytes, Tag(), options); });
  }

  void DoRead(ZoneId zone) {
    const std::uint64_t committed = manager_.CommittedOf(zone);
    if (committed == 0) return;
    const std::uint64_t blocks = committed / kBlock;
    const std::uint64_t first = rng_.Below(blocks);
    const std::uint64_t offset = manager_.geometry().StartOf(zone) + first * kBlock;
    Note(WithBuffer([&](void* b) { return queue_->Read(offset, b, kBlock, Tag()); }), false);
  }

  void Note(const Admission& admission, bool is_write) {
    if (admission.ok()) {
      if (goal_ != 0) --goal_;
      if (is_write) ++writes_;
      return;
    }
    // A full zone wants a reset, or all would end up waiting for nothing.
    if (admission.errc == Errc::kZoneFull) return;
    if (admission.wait.kind == WaitKey::Kind::kNone) return;
    // An actor that sleeps holds nothing that only it can give up.
    if (leased_) {
      GiveUpEverything();
      leased_ = false;
      return;
    }
    // All waiting for slots that idle zones hold would be the application's
    // deadlock, not the manager's: somebody has to reset.
    if (admission.wait.kind == WaitKey::Kind::kSlot) {
      if (!queue_->full()) {
        const ZoneId victim(static_cast<std::uint32_t>(rng_.Below(kZones)));
        if (queue_->Manage(victim, ZoneOp::kReset, kDepth).ok() && goal_ != 0) --goal_;
      }
      return;
    }
    waits_for_ = admission.wait;
    asleep_ = queue_->Park(admission.wait) && admission.wait.kind != WaitKey::Kind::kOwnIo;
  }

  void Poll(bool sleep) {
    ZoneCompletion done[kDepth];
    std::size_t count = queue_->Poll(done, 0, nanoseconds(0));
    // A second look without use of its zones is what falling asleep amounts to.
    if (sleep && count == 0) count = queue_->Poll(done, 0, nanoseconds(0));
    for (std::size_t i = 0; i < count; ++i) {
      busy_[done[i].user_data] = false;
      if (!done[i].result.ok() && done[i].result.errc != Errc::kStaleEpoch) ++failures_;
    }
    if (count != 0) asleep_ = false;
  }

  ZoneManager& manager_;
  const Scenario scenario_;
  Rng rng_;
  std::vector<std::byte> buffers_;
  std::array<bool, kDepth + 1> busy_{};  // the last one is never taken
  std::size_t tag_ = 0;
  std::unique_ptr<ZoneQueue> queue_;
  int goal_ = 60;
  std::uint64_t writes_ = 0;
  std::uint64_t failures_ = 0;
  WaitKey waits_for_;
  bool asleep_ = false;
  bool leased_ = false;
};

class Simulation {
 public:
  Simulation(const Scenario& scenario, std::uint64_t seed)
      : scenario_(scenario), rng_(seed), oracle_(ModelOptions(scenario)) {
    auto drive = NewEmulatedDevice(DriveOptions(scenario, seed), clock_);
    REQUIRE(drive.ok());
    device_ = std::make_shared<test::OracleDevice>(*std::move(drive), oracle_);
    if (scenario.faults) device_ = NewFaultDevice(device_, Faults(rng_));
    device_ = std::make_shared<test::WakeSpyDevice>(device_);
    ManagerOptions options;
    options.clock = &clock_;
    options.write_targets = scenario.write_targets;
    options.writers = scenario.actors;
    auto manager = ZoneManager::Create(device_, options);
    REQUIRE(manager.ok());
    manager_ = *std::move(manager);
    for (std::uint32_t i = 0; i < scenario.actors; ++i) {
      actors_.push_back(std::make_unique<Actor>(*manager_, scenario, rng_.Next()));
    }
  }

  void Run() {
    for (int step = 0; step < 200000; ++step) {
      // Who has done its part must not stand in the way of the others.
      // Once for each: what one gives up may be handed to another that has finished.
      for (std::size_t round = 0; round < actors_.size(); ++round) {
        for (const auto& actor : actors_) {
          if (actor->finished()) actor->Retire();
        }
      }
      std::vector<Actor*> runnable;
      bool all_done = true;
      for (const auto& actor : actors_) {
        all_done = all_done && actor->finished();
        if (actor->Runnable()) runnable.push_back(actor.get());
      }
      if (all_done) return;
      if (runnable.empty()) {
        FAIL("nobody can run: a wake-up was lost: " << Describe());
      }
      runnable[rng_.Below(runnable.size())]->Step();
      CheckInvariants();
    }
    FAIL("the actors did not come to an end: " << Describe());
  }

  std::string Describe() {
    std::string text;
    for (const auto& actor : actors_) text += actor->Describe();
    for (std::uint32_t z = 0; z < kZones; ++z) {
      const Zone zone = manager_->Get(ZoneId(z));
      text += "; zone " + std::to_string(z) + " " + std::string(ToString(zone.condition)) + " " +
              std::to_string(zone.write_pointer - zone.start);
    }
    for (const auto& stalled : manager_->StalledOwners(nanoseconds(0))) {
      text += "; zone " + std::to_string(stalled.zone.value()) + " is held by queue " +
              std::to_string(stalled.queue_id);
    }
    for (const ZoneId zone : manager_->TargetZones()) {
      text += "; target " + std::to_string(zone.value());
    }
    return text;
  }

  void CheckInvariants() {
    if (!oracle_.differences.empty()) FAIL(oracle_.differences.front());
    const LimitUse use = manager_->Limits();
    if (!scenario_.faults) {
      if (!oracle_.refused.empty()) FAIL(oracle_.refused.front());
      if (use.max_open.has_count() && use.open > *use.max_open.count()) FAIL("too many open");
      if (use.max_active.has_count() && use.active > *use.max_active.count())
        FAIL("too many active");
    }
    if (scenario_.write_targets != 0 && manager_->TargetZones().size() > scenario_.write_targets) {
      FAIL("more targets than places");
    }
    for (std::uint32_t z = 0; z < kZones; ++z) {
      const std::uint64_t committed = manager_->CommittedOf(ZoneId(z));
      const std::uint64_t reserved = manager_->ReservedOf(ZoneId(z));
      if (committed > reserved || reserved > manager_->CapacityOf(ZoneId(z))) {
        FAIL("zone " << z << ": committed " << committed << ", reserved " << reserved);
      }
      if (!static_cast<manager::ManagerCore&>(*manager_).WaitersAreShown(ZoneId(z))) {
        FAIL("zone " << z << ": its word does not say who waits: " << Describe());
      }
    }
  }

  // With everything at rest, manager and drive agree.
  void CheckAtRest() {
    std::vector<Zone> zones(kZones);
    REQUIRE(device_->Report(ZoneId(0), zones).ok());
    for (std::uint32_t z = 0; z < kZones; ++z) {
      const Zone known = manager_->Get(ZoneId(z));
      CAPTURE(z, ToString(known.condition), ToString(zones[z].condition));
      CHECK((known.condition == ZoneCondition::kFull) ==
            (zones[z].condition == ZoneCondition::kFull));
      if (zones[z].has_write_pointer()) {
        CHECK(known.write_pointer == zones[z].write_pointer);
      }
    }
  }

  std::vector<std::unique_ptr<Actor>>& actors() { return actors_; }
  ZoneManager& manager() { return *manager_; }
  const test::Oracle& oracle() const { return oracle_; }

 private:
  static EmulatedOptions DriveOptions(const Scenario& s, std::uint64_t seed) {
    EmulatedOptions options;
    options.dialect = s.dialect;
    options.zones = kZones;
    options.block = kBlock;
    options.zone_size = s.zone_blocks * kBlock;
    options.zone_capacity = s.capacity_blocks * kBlock;
    options.max_open = s.max_open;
    options.max_active = s.max_active;
    options.max_append = s.append ? 4 * kBlock : 0;
    options.order = CompletionOrder::kSeeded;
    options.seed = seed;
    return options;
  }
  static model::NaiveOptions ModelOptions(const Scenario& s) {
    model::NaiveOptions options;
    options.dialect = s.dialect;
    options.zones = kZones;
    options.block = kBlock;
    options.zone_size = s.zone_blocks * kBlock;
    options.zone_capacity = s.capacity_blocks * kBlock;
    if (s.max_open.has_count()) options.max_open = s.max_open.count();
    if (s.max_active.has_count()) options.max_active = s.max_active.count();
    options.max_append = s.append ? 4 * kBlock : 0;
    return options;
  }
  static std::vector<FaultRule> Faults(Rng& rng) {
    std::vector<FaultRule> rules;
    for (int i = 0; i < 4; ++i) {
      FaultRule rule;
      rule.op = IoOp::kWrite;
      rule.nth = 1 + rng.Below(60);
      rule.kind = static_cast<FaultKind>(rng.Below(3));
      rule.partial_bytes = kBlock;
      rules.push_back(rule);
    }
    return rules;
  }

  const Scenario scenario_;
  Rng rng_;
  VirtualClock clock_;
  test::Oracle oracle_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<ZoneManager> manager_;
  std::vector<std::unique_ptr<Actor>> actors_;
};

std::uint64_t BaseSeed() {
  const char* seed = std::getenv("ZONAL_SEED");
  return seed == nullptr ? 0 : std::strtoull(seed, nullptr, 0);
}

void RunSeeds(const Scenario& scenario, int count) {
  const bool replay = std::getenv("ZONAL_SEED") != nullptr;
  std::uint64_t commands = 0;
  for (int i = 0; i < (replay ? 1 : count); ++i) {
    const std::uint64_t seed = replay ? BaseSeed() : static_cast<std::uint64_t>(i) + 1;
    INFO("scenario " << scenario.name << ", replay with ZONAL_SEED=" << seed);
    Simulation simulation(scenario, seed);
    simulation.Run();
    simulation.CheckAtRest();
    commands += simulation.oracle().commands;
    simulation.actors().clear();
  }
  WARN(scenario.name << ": " << commands << " commands compared with the model");
}

TEST_CASE("four writers on four zones agree with the model", "[manager]") {
  Scenario zns;
  zns.name = "zns, two open, three active";
  RunSeeds(zns, 1000);
  Scenario unlimited = zns;
  unlimited.name = "no limits";
  unlimited.max_open = unlimited.max_active = Limit::Unlimited();
  RunSeeds(unlimited, 1000);
  Scenario one = zns;
  one.name = "one open zone";
  one.max_open = one.max_active = Limit::Of(1);
  RunSeeds(one, 500);
}

TEST_CASE("writers with a target set smaller than their number are all served", "[manager]") {
  for (const std::uint32_t targets : {1u, 2u, 3u}) {
    Scenario scenario;
    scenario.name = std::to_string(targets) + " targets";
    scenario.write_targets = targets;
    RunSeeds(scenario, 500);
  }
}

TEST_CASE("zones recover from failed writes and everybody goes on", "[manager]") {
  Scenario scenario;
  scenario.name = "faults";
  scenario.faults = true;
  RunSeeds(scenario, 2000);
}

TEST_CASE("writers and appenders share zones", "[manager]") {
  Scenario scenario;
  scenario.name = "append";
  scenario.append = true;
  RunSeeds(scenario, 1000);
}

}  // namespace
}  // namespace zonal
