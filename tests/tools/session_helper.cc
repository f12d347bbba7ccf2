// SPDX-License-Identifier: MIT
// What the guide's session needs beside `zonal` itself:
//   session_helper cat TARGET OFFSET BYTES     the bytes, as the device has them,
//                                              on standard output
//   session_helper stamp FIO_OPTIONS...        as `zonal run`, with stamped blocks
//   session_helper check FIO_OPTIONS...        reads them and compares each stamp
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/units.h"
#include "zonal/buffer_pool.h"
#include "zonal/fio.h"
#include "zonal/open.h"
#include "zonal/run.h"

namespace {

int Complain(const absl::Status& status) {
  std::fprintf(stderr, "session_helper: %s\n", status.ToString().c_str());
  return 1;
}

int Cat(const std::string& target, std::uint64_t offset, std::uint64_t bytes) {
  constexpr std::uint64_t kChunk = 256 << 10;
  auto device = zonal::Open(target, {});
  if (!device.ok()) return Complain(device.status());
  auto queue = (*device)->NewQueue({});
  if (!queue.ok()) return Complain(queue.status());
  auto buffers = zonal::BufferPool::Create(1, kChunk);
  if (!buffers.ok()) return Complain(buffers.status());
  for (std::uint64_t done = 0; done < bytes; done += kChunk) {
    zonal::IoRequest request;
    request.offset = offset + done;
    request.bytes = std::min(kChunk, bytes - done);
    request.buffer = (*buffers)->buffer(0);
    zonal::Completion completion;
    (*queue)->Submit({&request, 1});
    if ((*queue)->Poll({&completion, 1}, 1, std::chrono::seconds(30)) != 1) return 1;
    if (!completion.result.ok()) {
      return Complain(zonal::MakeStatus(completion.result.errc,
                                        "read at byte " + std::to_string(request.offset)));
    }
    std::fwrite(request.buffer, 1, request.bytes, stdout);
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}

int Stamped(bool check, const std::vector<std::string>& arguments) {
  auto invocation = zonal::ParseFioArguments(arguments);
  if (!invocation.ok()) return Complain(invocation.status());
  for (zonal::Workload& workload : invocation->plan.workers) {
    workload.stamp_blocks = true;
    workload.check_stamps = check;
  }
  zonal::RunControl control;
  auto result = zonal::Run(invocation->plan, control);
  if (!result.ok()) return Complain(result.status());
  for (const zonal::WorkerResult& worker : result->workers) {
    const zonal::DirectionResult& moved = worker.directions[static_cast<std::size_t>(
        check ? zonal::Direction::kRead : zonal::Direction::kWrite)];
    std::printf("%s: %llu ios, %llu bytes, %s %s\n", worker.name.c_str(),
                static_cast<unsigned long long>(moved.ios),
                static_cast<unsigned long long>(moved.bytes),
                std::string(ToString(worker.reason)).c_str(), worker.detail.c_str());
    if (worker.reason != zonal::EndReason::kDone) return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4 && arguments[0] == "cat") {
    const auto offset = zonal::core::ParseBytes(arguments[2]);
    const auto bytes = zonal::core::ParseBytes(arguments[3]);
    if (offset.ok() && bytes.ok()) return Cat(arguments[1], *offset, *bytes);
  }
  if (arguments.size() > 1 && (arguments[0] == "stamp" || arguments[0] == "check")) {
    return Stamped(arguments[0] == "check", {arguments.begin() + 1, arguments.end()});
  }
  std::fputs("usage: session_helper cat|stamp|check ...\n", stderr);
  return 1;
}
