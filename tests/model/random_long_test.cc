// SPDX-License-Identifier: MIT
// Long random sequences on random drives in memory, against the naive model.
// Every sequence follows from one seed; with ZONAL_SEED=n only that one runs.
#include "model/random_drives.h"
#include "model/random_sequence.h"
#include "model/step.h"
#include "support/catch.h"
#include "zonal/clock.h"

namespace zonal::model {
namespace {

TEST_CASE("long random sequences on drives in memory agree with the model", "[model]") {
  for (const std::uint64_t seed : Seeds(60)) {
    for (const Dialect dialect : {Dialect::kZns, Dialect::kZbc}) {
      Rng rng(seed);
      const EmulatedOptions options = RandomDrive(dialect, rng);
      INFO("ZONAL_SEED=" << seed << " " << FormatEmulatedSpec(options));
      REQUIRE(Validate(options).ToString() == "OK");
      const VirtualClock clock;
      const OpenDrive open = [&] { return NewEmulatedDevice(options, clock); };
      CHECK(RunSequence(open, NaiveDrive(NaiveOf(options)), {.steps = 2000}, rng) == "");
    }
  }
}

}  // namespace
}  // namespace zonal::model
