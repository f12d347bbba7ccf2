// SPDX-License-Identifier: MIT
#include "engine/thread_place.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

namespace zonal::engine {
namespace {

// More than any kernel is built for.
constexpr std::uint32_t kMostCpus = 1u << 16;

absl::Status Refused(const Workload& workload, const std::string& what, int error) {
  return absl::InvalidArgumentError(workload.name + ": " + what + ": the system refuses it (" +
                                    std::generic_category().message(error) + ")");
}

int SetCpus(const std::vector<std::uint32_t>& cpus) {
  const std::uint32_t highest = *std::max_element(cpus.begin(), cpus.end());
  if (highest >= kMostCpus) return EINVAL;
  const auto free = [](cpu_set_t* set) { CPU_FREE(set); };
  const std::unique_ptr<cpu_set_t, decltype(free)> set(CPU_ALLOC(highest + 1), free);
  const std::size_t bytes = CPU_ALLOC_SIZE(highest + 1);
  CPU_ZERO_S(bytes, set.get());
  for (const std::uint32_t cpu : cpus) CPU_SET_S(cpu, bytes, set.get());
  return sched_setaffinity(0, bytes, set.get()) == 0 ? 0 : errno;
}

// On Linux a nice value belongs to a thread, whatever POSIX says.
int AddNice(int nice) {
  errno = 0;
  const int now = getpriority(PRIO_PROCESS, 0);
  if (errno != 0) return errno;
  return setpriority(PRIO_PROCESS, 0, now + nice) == 0 ? 0 : errno;
}

}  // namespace

absl::Status PlaceThread(const Workload& workload) {
  if (!workload.cpus.empty()) {
    const int error = SetCpus(workload.cpus);
    if (error != 0) {
      std::string list;
      for (const std::uint32_t cpu : workload.cpus) {
        list += (list.empty() ? "" : ",") + std::to_string(cpu);
      }
      return Refused(workload, "cpus_allowed=" + list, error);
    }
  }
  if (workload.nice != 0) {
    const int error = AddNice(workload.nice);
    if (error != 0) return Refused(workload, "nice=" + std::to_string(workload.nice), error);
  }
  return absl::OkStatus();
}

absl::Status TryPlace(const Workload& workload) {
  absl::Status status;
  std::thread([&] { status = PlaceThread(workload); }).join();
  return status;
}

}  // namespace zonal::engine
