// SPDX-License-Identifier: MIT
// What a kernel device asks the system about, as values, so that tests can
// answer instead.
#pragma once

#include <functional>
#include <string>

namespace zonal::kernel {

struct Environment {
  std::string sysfs = "/sys";
  std::string proc = "/proc";
  std::string kernel_release;
};

// This machine's.
Environment SystemEnvironment();

// An ioctl on one open device: 0, or -errno. EINTR is retried behind it.
using Ioctl = std::function<int(unsigned long request, void* argument)>;
Ioctl IoctlOn(int fd);

}  // namespace zonal::kernel
