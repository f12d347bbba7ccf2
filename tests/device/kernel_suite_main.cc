// SPDX-License-Identifier: MIT
// zonal_device_suite [DEVICE] [CATCH2_OPTION...]: the kernel backend on a real
// block device, given as DEVICE or in ZONAL_TEST_DEVICE. ALL DATA ON IT IS LOST.
// Needs root. A zoned device runs the cases tagged [zoned], another block device
// those tagged [ordinary]. Exit code 77 and a reason: no device was given.
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CATCH_CONFIG_RUNNER
#include "device/kernel_suite_support.h"
#include "support/catch.h"

namespace {

int Skip(const char* reason) {
  std::printf("skipped: %s\n", reason);
  return 77;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> arguments(argv, argv + argc);
  if (argc > 1 && argv[1][0] == '/') {
    ::setenv("ZONAL_TEST_DEVICE", argv[1], 1);
    arguments.erase(arguments.begin() + 1);
  }
  const std::string device = zonal::test::SuiteDevice();
  if (device.empty()) return Skip("ZONAL_TEST_DEVICE is not set");
  struct stat status {};
  if (::stat(device.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) {
    return Skip("ZONAL_TEST_DEVICE is no block device");
  }
  const std::string zoned = zonal::test::SuiteSysfs("queue/zoned");
  const bool is_zoned = zoned == "host-managed" || zoned == "host-aware";
  Catch::Session session;
  const int bad = session.applyCommandLine(static_cast<int>(arguments.size()), arguments.data());
  if (bad != 0) return bad;
  if (session.configData().testsOrTags.empty()) {
    session.configData().testsOrTags.push_back(is_zoned ? "[zoned]" : "[ordinary]");
  }
  return session.run() == 0 ? 0 : 1;
}
