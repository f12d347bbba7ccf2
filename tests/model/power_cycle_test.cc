// SPDX-License-Identifier: MIT
// Random sequences on random drives in files, closed and opened again and
// again, against the naive model. Every sequence follows from one seed; with
// ZONAL_SEED=n only that one runs.
#include <unistd.h>

#include <filesystem>

#include "model/random_drives.h"
#include "model/random_sequence.h"
#include "model/step.h"
#include "support/catch.h"
#include "zonal/clock.h"

namespace zonal::model {
namespace {

TEST_CASE("random sequences with power cycles on drives in files agree with the model", "[model]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("zonal-model-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  for (const std::uint64_t seed : Seeds(30)) {
    for (const Dialect dialect : {Dialect::kZns, Dialect::kZbc}) {
      Rng rng(seed);
      const EmulatedOptions options = RandomDrive(dialect, rng);
      INFO("ZONAL_SEED=" << seed << " " << FormatEmulatedSpec(options));
      const std::string path = (folder / "drive").string();
      const VirtualClock clock;
      REQUIRE(CreateEmulatedFile(path, options, true).ToString() == "OK");
      const OpenDrive open = [&] { return OpenEmulatedFile(path, true, clock); };
      const Plan plan{.steps = 600, .power_cycle_every = 60};
      CHECK(RunSequence(open, NaiveDrive(NaiveOf(options)), plan, rng) == "");
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace zonal::model
