// SPDX-License-Identifier: MIT
// A run of the engine that does the same instructions each time: one thread, a virtual
// clock, fio's options as `zonal run` takes them. For instructions.py.
//
//   simulated_run --name=row --filename=emu,... --rw=write ... --io_size=BYTES
//
// Prints how many operations ended well.
#include <cstdio>
#include <string>
#include <vector>

#include "zonal/fio.h"
#include "zonal/run.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  absl::StatusOr<zonal::FioInvocation> invocation = zonal::ParseFioArguments(arguments, {});
  if (!invocation.ok()) {
    std::fprintf(stderr, "simulated_run: %s\n", invocation.status().ToString().c_str());
    return 2;
  }
  invocation->plan.driver = zonal::DriverKind::kSimulation;
  zonal::RunControl control;
  const absl::StatusOr<zonal::RunResult> result = zonal::Run(invocation->plan, control);
  if (!result.ok()) {
    std::fprintf(stderr, "simulated_run: %s\n", result.status().ToString().c_str());
    return 2;
  }
  unsigned long long ios = 0;
  for (const zonal::WorkerResult& worker : result->workers) {
    if (!worker.error.ok()) {
      std::fprintf(stderr, "simulated_run: an I/O failed: %s\n", worker.detail.c_str());
      return 1;
    }
    for (const auto& direction : worker.directions) ios += direction.ios;
  }
  std::printf("%llu\n", ios);
  return 0;
}
