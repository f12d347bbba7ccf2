// SPDX-License-Identifier: MIT
// Every step in every reachable state of drives of three tiny zones: the
// emulated drive against the naive model. Breadth-first over the states of the
// model; a state is the zones' conditions and pointers, which blocks hold data,
// and the order in which zones became implicitly open, for that order decides
// which of them the drive closes. The drive is brought to a state by replaying
// the shortest path to it on a new or a reset one.
#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/small_drives.h"
#include "model/step.h"
#include "support/catch.h"
#include "zonal/clock.h"

namespace zonal::model {
namespace {

constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
constexpr std::size_t kMismatchesShown = 5;

// Everything the future depends on, except what the data is.
std::string KeyOf(const NaiveDrive& drive) {
  const std::uint64_t block = drive.options().block;
  std::string key;
  for (const NaiveZone& zone : drive.zones()) {
    key.push_back(static_cast<char>(zone.condition));
    key.push_back(static_cast<char>((zone.pointer - zone.start) / block));
    char written = 0;  // a bit per block; written blocks hold no zero byte
    for (std::uint64_t i = 0; i < zone.size / block; ++i) {
      if (drive.data()[zone.start + i * block] != std::byte{0})
        written |= static_cast<char>(1 << i);
    }
    key.push_back(written);
  }
  for (std::size_t zone : drive.implicit_order()) key.push_back(static_cast<char>(zone));
  return key;
}

struct State {
  NaiveDrive model;
  std::size_t parent = kNoParent;
  Step step;  // from the parent
  std::uint64_t depth = 0;
};

class Exploration {
 public:
  explicit Exploration(const SmallDrive& drive)
      : options_(drive.options), steps_(EveryStep(drive.options)) {
    states_.push_back({NaiveDrive(NaiveOf(options_)), kNoParent, Step{}, 0});
    seen_.insert(KeyOf(states_[0].model));
  }

  void Run() {
    for (std::size_t i = 0; i < states_.size() && mismatches_.size() < kMismatchesShown; ++i) {
      TryEveryStep(i);
    }
  }

  std::size_t states() const { return states_.size(); }
  std::size_t transitions() const { return transitions_; }
  const std::set<std::uint32_t>& codes() const { return codes_; }
  const std::vector<std::string>& mismatches() const { return mismatches_; }

 private:
  // Steps that change nothing share one drive; each other one spoils it.
  void TryEveryStep(std::size_t at) {
    std::unique_ptr<RealDrive> real;
    spare_.reset();
    NaiveDrive model = states_[at].model;
    for (Step step : steps_) {
      step.stamp = states_[at].depth + 1;
      if (real == nullptr) real = Bring(at);
      if (real == nullptr) return;
      const Compared compared = ApplyAndCompare(*real, model, step);
      ++transitions_;
      codes_.insert(compared.answer.raw);
      const bool changed = Changed(states_[at].model, model, step, compared.answer);
      std::string mismatch = compared.mismatch;
      if (changed && mismatch.empty()) mismatch = CompareContents(*real, model);
      if (!mismatch.empty()) Note(at, step, mismatch);
      if (changed) {
        Discover(at, step, model);
        model = states_[at].model;
      }
      if (!mismatch.empty()) {
        real.reset();
      } else if (changed) {
        spare_ = std::move(real);
      }
    }
    if (real == nullptr) return;
    const std::string mismatch = CompareContents(*real, model);
    if (!mismatch.empty()) Note(at, Step{}, "after all steps that change nothing: " + mismatch);
  }

  static bool Changed(const NaiveDrive& before, const NaiveDrive& after, const Step& step,
                      const Outcome& answer) {
    const bool data = step.kind == StepKind::kWrite || step.kind == StepKind::kAppend;
    return (data && answer.ok()) || before.zones() != after.zones() ||
           before.implicit_order() != after.implicit_order();
  }

  void Discover(std::size_t parent, const Step& step, const NaiveDrive& model) {
    if (!seen_.insert(KeyOf(model)).second) return;
    states_.push_back({model, parent, step, states_[parent].depth + 1});
  }

  std::vector<Step> PathTo(std::size_t at) const {
    std::vector<Step> path;
    for (; states_[at].parent != kNoParent; at = states_[at].parent) {
      path.push_back(states_[at].step);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  // A drive in this state: a new one for the first step of each state, after
  // that the same one, reset. Null, and a mismatch noted, if it does not get there.
  std::unique_ptr<RealDrive> Bring(std::size_t at) {
    if (spare_ != nullptr && CanBeReset()) {
      Step reset;
      reset.kind = StepKind::kManageAll;
      reset.op = ZoneOp::kReset;
      spare_->Apply(reset, scratch_);
      return Replay(std::move(spare_), at);
    }
    absl::StatusOr<std::unique_ptr<Device>> device = NewEmulatedDevice(options_, clock_);
    if (!device.ok()) {
      mismatches_.push_back(device.status().ToString());
      return nullptr;
    }
    return Replay(std::make_unique<RealDrive>(*std::move(device)), at);
  }

  // A reset of all zones makes a drive new again, where nothing else can be
  // written and no zone is lost for good.
  bool CanBeReset() const { return options_.conventional == 0 && options_.read_only_zones.empty(); }

  std::unique_ptr<RealDrive> Replay(std::unique_ptr<RealDrive> real, std::size_t at) {
    for (const Step& step : PathTo(at)) real->Apply(step, scratch_);
    const std::string mismatch = CompareReports(*real, states_[at].model);
    if (mismatch.empty()) return real;
    Note(at, Step{}, "replayed path: " + mismatch);
    return nullptr;
  }

  void Note(std::size_t at, const Step& step, const std::string& what) {
    std::string text;
    for (const Step& each : PathTo(at)) text += Describe(each) + "; ";
    mismatches_.push_back(text + "then " + Describe(step) + ": " + what);
  }

  EmulatedOptions options_;
  std::vector<Step> steps_;
  VirtualClock clock_;
  std::vector<State> states_;
  std::unordered_set<std::string> seen_;
  std::unique_ptr<RealDrive> spare_;  // left in some other state
  std::vector<std::byte> scratch_;
  std::vector<std::string> mismatches_;
  std::size_t transitions_ = 0;
  std::set<std::uint32_t> codes_;  // raw status of the answers; 0: success
};

// So that a test that avoids a rule is seen to avoid it.
const std::set<std::uint32_t> kZnsCodes = {
    0,
    nvme::kInvalidField,
    nvme::kInvalidOpcode,
    nvme::kLbaOutOfRange,
    nvme::kZoneBoundaryError,
    nvme::kZoneIsFull,
    nvme::kZoneIsReadOnly,
    nvme::kZoneIsOffline,
    nvme::kZoneInvalidWrite,
    nvme::kTooManyActiveZones,
    nvme::kTooManyOpenZones,
    nvme::kInvalidZoneStateTransition,
};
const std::set<std::uint32_t> kZbcCodes = {
    0,
    scsi::kInvalidOpcode,
    scsi::kLbaOutOfRange,
    scsi::kUnalignedWrite,
    scsi::kWriteBoundary,
    scsi::kReadInvalidData,
    scsi::kReadBoundary,
    scsi::kInvalidFieldInCdb,
    scsi::kZoneIsReadOnly,
    scsi::kZoneIsOffline,
    scsi::kInsufficientZoneResources,
};

TEST_CASE("every step in every state of three tiny zones agrees with the model", "[model]") {
  std::size_t states = 0;
  std::size_t transitions = 0;
  std::set<std::uint32_t> zns_codes;
  std::set<std::uint32_t> zbc_codes;
  const std::vector<SmallDrive> drives = SmallDrives();
  for (const SmallDrive& drive : drives) {
    CAPTURE(drive.name);
    REQUIRE(Validate(drive.options).ToString() == "OK");
    Exploration exploration(drive);
    exploration.Run();
    for (const std::string& mismatch : exploration.mismatches()) FAIL_CHECK(mismatch);
    CHECK(exploration.states() > 1);
    states += exploration.states();
    transitions += exploration.transitions();
    (drive.options.dialect == Dialect::kZns ? zns_codes : zbc_codes)
        .insert(exploration.codes().begin(), exploration.codes().end());
  }
  CHECK(zns_codes == kZnsCodes);
  CHECK(zbc_codes == kZbcCodes);
  std::cout << drives.size() << " drives, " << states << " states, " << transitions
            << " transitions\n";
}

}  // namespace
}  // namespace zonal::model
