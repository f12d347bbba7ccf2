// SPDX-License-Identifier: MIT
// The three kernel queues over plain files: the common suite, and what only
// they can show (dead rings, ends of files, wrong descriptors).
#include "device/kernel/kernel_queue.h"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "device/kernel/kernel_device.h"
#include "support/aligned_buffer.h"
#include "support/catch.h"
#include "support/queue_conformance.h"

namespace zonal {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using test::AlignedBuffer;

constexpr std::uint64_t kFileBytes = 8ull << 20;
constexpr std::array kKinds = {QueueKind::kIoUring, QueueKind::kLibaio, QueueKind::kSync};

// A file of its own in a folder, gone afterwards.
class TempFile {
 public:
  explicit TempFile(const fs::path& folder) : path_((folder / "zonal-queue-XXXXXX").string()) {
    const int fd = ::mkstemp(path_.data());
    REQUIRE(fd >= 0);
    REQUIRE(::ftruncate(fd, kFileBytes) == 0);
    ::close(fd);
  }
  ~TempFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::unique_ptr<Device> OpenFile(const TempFile& file, bool direct,
                                 Access access = Access::kReadWrite) {
  OpenOptions options;
  options.access = access;
  options.direct = direct;
  auto device = OpenKernelDevice(file.path(), options);
  INFO(device.status().ToString());
  REQUIRE(device.ok());
  return *std::move(device);
}

std::unique_ptr<IoQueue> NewQueue(Device& device, QueueKind kind, std::uint32_t depth = 8) {
  QueueOptions options;
  options.kind = kind;
  options.depth = depth;
  auto queue = device.NewQueue(options);
  INFO(queue.status().ToString());
  REQUIRE(queue.ok());
  return *std::move(queue);
}

IoRequest Request(IoOp op, std::uint64_t offset, std::span<std::byte> data) {
  IoRequest request;
  request.op = op;
  request.offset = offset;
  request.bytes = data.size();
  request.buffer = data.data();
  return request;
}

IoResult RunOne(IoQueue& queue, const IoRequest& request) {
  REQUIRE(queue.Submit(std::span(&request, 1)) == 1);
  std::array<Completion, 1> done;
  REQUIRE(queue.Poll(done, 1, 10s) == 1);
  return done[0].result;
}

// The descriptor of this process's only io_uring.
int RingDescriptor() {
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    if (fs::read_symlink(entry.path(), ignored) == "anon_inode:[io_uring]") {
      return std::stoi(entry.path().filename().string());
    }
  }
  return -1;
}

}  // namespace

TEST_CASE("every kernel queue keeps the contract with direct I/O", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true);
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    test::CheckQueueConformance({*device, kind, 1 << 20});
  }
}

TEST_CASE("every kernel queue keeps the contract through the page cache", "[kernel]") {
  const TempFile file("/dev/shm");
  auto device = OpenFile(file, false);
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    test::CheckQueueConformance({*device, kind, 0});
  }
}

TEST_CASE("a kernel queue is what its name says, and psync has depth 1", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true);
  CHECK(NewQueue(*device, QueueKind::kIoUring)->name() == "io_uring");
  CHECK(NewQueue(*device, QueueKind::kLibaio)->name() == "libaio");
  CHECK(NewQueue(*device, QueueKind::kSync)->name() == "psync");
  CHECK(NewQueue(*device, QueueKind::kIoUring, 300)->depth() == 300);
  CHECK(NewQueue(*device, QueueKind::kSync, 300)->depth() == 1);
  CHECK(NewQueue(*device, QueueKind::kLibaio)->features().write_depth_per_zone == 0);
  QueueOptions none;
  none.depth = 0;
  CHECK(absl::IsInvalidArgument(device->NewQueue(none).status()));
}

TEST_CASE("every kind takes the deepest queue, or says what the system lacks", "[kernel]") {
  const TempFile file("/dev/shm");
  auto device = OpenFile(file, false);
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    QueueOptions options;
    options.kind = kind;
    options.depth = kMaxQueueDepth + 1;
    CHECK(absl::IsInvalidArgument(device->NewQueue(options).status()));
    options.depth = kMaxQueueDepth;
    const auto queue = device->NewQueue(options);
    INFO(queue.status().ToString());
    if (!queue.ok()) {
      CHECK(kind != QueueKind::kSync);
      CHECK(absl::IsResourceExhausted(queue.status()));
      CHECK(queue.status().message().find("raise") != std::string::npos);
      continue;
    }
    const std::uint32_t depth = kind == QueueKind::kSync ? 1 : kMaxQueueDepth;
    REQUIRE((*queue)->depth() == depth);
    AlignedBuffer buffer(512);
    const std::vector<IoRequest> requests(kMaxQueueDepth + 1,
                                          Request(IoOp::kRead, 0, buffer.span()));
    CHECK((*queue)->Submit(requests) == depth);
    std::vector<Completion> done(depth);
    CHECK((*queue)->Poll(done, depth, 60s) == depth);
  }
}

TEST_CASE("a batch larger than the submission ring goes out whole", "[kernel]") {
  const TempFile file("/dev/shm");
  auto device = OpenFile(file, false);
  auto queue = NewQueue(*device, QueueKind::kIoUring, 5000);
  AlignedBuffer buffer(512);
  std::vector<IoRequest> requests(5000, Request(IoOp::kRead, 0, buffer.span()));
  REQUIRE(queue->Submit(requests) == 5000);
  std::vector<Completion> done(5000);
  CHECK(queue->Poll(done, 5000, 10s) == 5000);
  CHECK(queue->in_flight() == 0);
}

TEST_CASE("reads that reach past the end say how far they came", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true);
  AlignedBuffer buffer(8192);
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    auto queue = NewQueue(*device, kind);
    const IoResult result = RunOne(*queue, Request(IoOp::kRead, kFileBytes - 4096, buffer.span()));
    CHECK(result.errc == Errc::kBadRange);
    CHECK(result.bytes == 4096);
    CHECK(result.offset == kFileBytes - 4096);
  }
}

TEST_CASE("a file that ends inside a block ends there for direct reads too", "[kernel]") {
  const TempFile file(fs::current_path());
  REQUIRE(::truncate(file.path().c_str(), 8192 + 1000) == 0);
  auto device = OpenFile(file, true);
  AlignedBuffer buffer(8192);
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    auto queue = NewQueue(*device, kind);
    const IoResult result = RunOne(*queue, Request(IoOp::kRead, 4096, buffer.span()));
    CHECK(result.errc == Errc::kBadRange);
    CHECK(result.bytes == 4096 + 1000);
  }
}

TEST_CASE("a request whose pieces are not its length never reaches the device", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true);
  AlignedBuffer buffer(8192);
  const iovec half{buffer.data(), 4096};
  IoRequest request = Request(IoOp::kWrite, 0, buffer.span());
  request.iovecs = &half;
  request.iovec_count = 1;
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    CHECK(RunOne(*NewQueue(*device, kind), request).errc == Errc::kBadRange);
  }
  request.iovec_count = 17;
  CHECK(RunOne(*NewQueue(*device, QueueKind::kSync), request).errc == Errc::kTooLarge);
}

TEST_CASE("a write on a device opened for reading fails with the errno", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true, Access::kReadOnly);
  AlignedBuffer buffer(4096);
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    const IoResult result =
        RunOne(*NewQueue(*device, kind), Request(IoOp::kWrite, 0, buffer.span()));
    CHECK(result.errc == Errc::kPermission);
    CHECK(result.origin == Origin::kErrno);
    CHECK(result.raw == EBADF);
    CHECK(result.bytes == 0);
  }
}

TEST_CASE("a registered buffer that is not there is an error of the request", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true);
  AlignedBuffer buffer(4096);
  IoRequest request = Request(IoOp::kRead, 0, buffer.span());
  request.registered_buffer = 3;
  auto queue = NewQueue(*device, QueueKind::kIoUring);
  CHECK_FALSE(RunOne(*queue, request).ok());
  request.registered_buffer = -1;
  CHECK(RunOne(*queue, request).ok());
}

TEST_CASE("a dead ring completes every request with an error", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true);
  auto queue = NewQueue(*device, QueueKind::kIoUring);
  AlignedBuffer buffer(4096);
  const IoRequest request = Request(IoOp::kRead, 0, buffer.span());
  REQUIRE(RunOne(*queue, request).ok());
  const int ring = RingDescriptor();
  REQUIRE(ring >= 0);
  // Another file takes the ring's number, so that the queue's own close is legal.
  const int other = ::open("/dev/null", O_RDONLY);
  REQUIRE(::dup2(other, ring) == ring);
  ::close(other);
  for (int i = 0; i < 3; ++i) {
    const IoResult result = RunOne(*queue, request);
    CHECK(result.errc == Errc::kIo);
    CHECK(result.origin == Origin::kErrno);
    CHECK(result.raw != 0);
  }
  CHECK(queue->Close(1s).ok());
}

// The kernel goes on with a ring's requests after the ring was closed, and wrote
// into buffers their owner had given to somebody else.
TEST_CASE("a ring is not gone before its requests are", "[kernel]") {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  kernel::QueueConfig config;
  config.file = std::make_shared<const core::FileDescriptor>(pipe[0]);
  config.depth = 4;
  config.clock = &MonotonicClock();
  auto queue = kernel::NewIoUringQueue(config);
  REQUIRE(queue.ok());
  std::array<std::byte, 8> buffer{};
  const IoRequest read = Request(IoOp::kRead, 0, buffer);
  CHECK((*queue)->Submit(std::span(&read, 1)) == 1);
  CHECK((*queue)->in_flight() == 1);
  std::thread writer([&] {
    std::this_thread::sleep_for(50ms);
    const ssize_t put = ::write(pipe[1], "12345678", 8);
    static_cast<void>(put);
  });
  queue->reset();
  CHECK(std::memcmp(buffer.data(), "12345678", 8) == 0);
  writer.join();
  ::close(pipe[1]);
}

TEST_CASE("a queue may be made by one thread and used by another", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true);
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    auto queue = NewQueue(*device, kind);
    AlignedBuffer buffer(4096);
    const IoRequest request = Request(IoOp::kRead, 0, buffer.span());
    std::array<Completion, 4> done;
    std::size_t taken = 0;
    std::thread([&] {
      queue->Submit(std::span(&request, 1));
      taken = queue->Poll(done, 1, 10s);
    }).join();
    CHECK(taken == 1);
    CHECK(done[0].result.ok());
    CHECK(queue->Close(1s).ok());  // nothing in flight: any thread may
  }
}

TEST_CASE("a flush makes earlier writes durable on every queue and on the device", "[kernel]") {
  const TempFile file(fs::current_path());
  auto device = OpenFile(file, true);
  AlignedBuffer buffer(4096);
  IoRequest flush;
  flush.op = IoOp::kFlush;
  for (const QueueKind kind : kKinds) {
    CAPTURE(ToString(kind));
    auto queue = NewQueue(*device, kind);
    REQUIRE(RunOne(*queue, Request(IoOp::kWrite, 0, buffer.span())).ok());
    CHECK(RunOne(*queue, flush).ok());
  }
  CHECK(device->Flush().ok());
}

}  // namespace zonal
