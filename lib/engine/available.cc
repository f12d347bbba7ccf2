// SPDX-License-Identifier: MIT
#include "engine/available.h"

#include <string>

namespace zonal::engine {
namespace {

struct Missing {
  const char* what;
  bool (*asked)(const Workload&);
};

constexpr Missing kMissing[] = {
    {"verify", [](const Workload& w) { return w.verify != Verify{}; }},
};

}  // namespace

absl::Status CheckAvailable(const Workload& workload) {
  for (const Missing& missing : kMissing) {
    if (!missing.asked(workload)) continue;
    return absl::UnimplementedError("job " + workload.name + ": " + missing.what +
                                    " is not available in this version");
  }
  return absl::OkStatus();
}

}  // namespace zonal::engine
