// SPDX-License-Identifier: MIT
#include "model/random_sequence.h"

#include <cstdlib>

#include "model/random_drives.h"
#include "model/step.h"

namespace zonal::model {

std::vector<std::uint64_t> Seeds(std::uint64_t count) {
  if (const char* seed = std::getenv("ZONAL_SEED")) return {std::strtoull(seed, nullptr, 0)};
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t i = 1; i <= count; ++i) seeds.push_back(i);
  return seeds;
}

namespace {

// Writes and appends submitted together take effect in their order, whatever
// order their completions come back in.
std::string ApplyBatch(RealDrive& real, NaiveDrive& model, Rng& rng) {
  std::vector<Step> steps(2 + rng.Below(14));
  std::vector<Outcome> expected;
  std::vector<std::byte> buffer;
  for (Step& step : steps) {
    step = RandomWrite(model, rng);
    expected.push_back(ApplyTo(model, step, buffer));
  }
  const std::vector<Outcome> found = real.ApplyTogether(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (found[i] == expected[i]) continue;
    return "batch, " + std::to_string(i) + ": " + Describe(steps[i]) + ": drive " +
           Describe(found[i]) + "; model " + Describe(expected[i]);
  }
  return CompareReports(real, model);
}

}  // namespace

std::string RunSequence(const OpenDrive& open, NaiveDrive model, Plan plan, Rng& rng) {
  absl::StatusOr<std::unique_ptr<Device>> device = open();
  if (!device.ok()) return device.status().ToString();
  auto real = std::make_unique<RealDrive>(*std::move(device));
  for (int i = 0; i < plan.steps; ++i) {
    const std::string where = "step " + std::to_string(i) + ": ";
    if (rng.Chance(1, 20)) {
      const std::string mismatch = ApplyBatch(*real, model, rng);
      if (!mismatch.empty()) return where + mismatch;
    } else {
      const Step step = RandomStep(model, rng);
      const std::string mismatch = ApplyAndCompare(*real, model, step).mismatch;
      if (!mismatch.empty()) return where + Describe(step) + ": " + mismatch;
    }
    const bool cycle = plan.power_cycle_every != 0 && i % plan.power_cycle_every == 0;
    if (cycle) {
      real.reset();  // lets go of the file before it is opened again
      device = open();
      if (!device.ok()) return where + device.status().ToString();
      real = std::make_unique<RealDrive>(*std::move(device));
      model.PowerCycle();
    }
    if (!cycle && i % 100 != 0 && i + 1 != plan.steps) continue;
    std::string mismatch = CompareReports(*real, model);
    if (mismatch.empty()) mismatch = CompareContents(*real, model);
    if (!mismatch.empty()) return where + (cycle ? "after power cycle: " : "") + mismatch;
  }
  return "";
}

}  // namespace zonal::model
