// SPDX-License-Identifier: MIT
#include "device/kernel/environment.h"

#include <sys/ioctl.h>
#include <sys/utsname.h>

#include <cerrno>

namespace zonal::kernel {

Environment SystemEnvironment() {
  Environment environment;
  utsname names{};
  if (::uname(&names) == 0) environment.kernel_release = names.release;
  return environment;
}

Ioctl IoctlOn(int fd) {
  return [fd](unsigned long request, void* argument) {
    int answer = 0;
    do {
      answer = ::ioctl(fd, request, argument);
    } while (answer < 0 && errno == EINTR);
    return answer < 0 ? -errno : 0;
  };
}

}  // namespace zonal::kernel
