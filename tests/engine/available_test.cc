// SPDX-License-Identifier: MIT
// What the engine cannot do is refused by name before anything is opened.
#include "engine/available.h"

#include "support/catch.h"
#include "zonal/run.h"

namespace zonal {
namespace {

TEST_CASE("a plain workload asks for nothing that is missing", "[engine]") {
  CHECK(engine::CheckAvailable(Workload{}).ok());
}

TEST_CASE("a missing feature ends the run before a device is asked for", "[engine]") {
  RunPlan plan;
  plan.workers.emplace_back();
  plan.workers[0].name = "fill";
  plan.workers[0].writes = true;
  plan.workers[0].verify.checksum = Checksum::kMd5;
  RunControl control;
  bool opened = false;
  const auto result =
      Run(plan, control, [&](const Workload&) -> absl::StatusOr<std::shared_ptr<Device>> {
        opened = true;
        return absl::InternalError("opened");
      });
  CHECK(result.status().code() == absl::StatusCode::kUnimplemented);
  CHECK(std::string(result.status().message()) ==
        "job fill: verify is not available in this version");
  CHECK_FALSE(opened);
}

}  // namespace
}  // namespace zonal
