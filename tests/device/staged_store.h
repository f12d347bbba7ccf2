// SPDX-License-Identifier: MIT
// A store that answers when the test says so, and a drive over it.
#pragma once

#include <cerrno>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/emulated/drive_memory.h"
#include "device/emulated/ready_event.h"
#include "support/aligned_buffer.h"
#include "support/catch.h"
#include "support/emulated.h"

namespace zonal::test {

using emulated::StoreAnswer;
using emulated::StoreCompletion;

struct Pending {
  std::uint64_t offset = 0;
  std::uint64_t cookie = 0;
  int queue = 0;
};

// What the test sees and steers; outlives the drive.
struct Stage {
  bool synchronous = false;  // answers at once, with `error`
  int error = 0;
  std::vector<Pending> pending;
  std::vector<std::vector<StoreCompletion>> done;  // by queue

  // The write at `offset` has reached the store, or failed to.
  void Finish(std::uint64_t offset, int result = 0) {
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if (pending[i].offset != offset) continue;
      done[static_cast<std::size_t>(pending[i].queue)].push_back({pending[i].cookie, result});
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    FAIL("nothing pending at " << offset);
  }
};

class StagedQueue final : public emulated::StoreQueue {
 public:
  StagedQueue(Stage& stage, int index) : stage_(stage), index_(index) {}
  StoreAnswer Write(std::uint64_t offset, std::span<const iovec>, bool,
                    std::uint64_t cookie) noexcept override {
    return Answer(offset, cookie);
  }
  StoreAnswer Read(std::uint64_t offset, std::span<const iovec>,
                   std::uint64_t cookie) noexcept override {
    return Answer(offset, cookie);
  }
  StoreAnswer Flush(std::uint64_t cookie) noexcept override { return Answer(~0ull, cookie); }
  std::size_t Poll(std::span<StoreCompletion> out, std::size_t, nanoseconds) noexcept override {
    auto& done = stage_.done[static_cast<std::size_t>(index_)];
    const std::size_t count = std::min(out.size(), done.size());
    std::copy_n(done.begin(), count, out.begin());
    done.erase(done.begin(), done.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void Wake() noexcept override {}
  // Completions are made by the test, in the queue's own thread: never readable.
  int event_fd() noexcept override { return event_.fd(); }
  bool Arm() noexcept override { return stage_.done[static_cast<std::size_t>(index_)].empty(); }

 private:
  StoreAnswer Answer(std::uint64_t offset, std::uint64_t cookie) {
    if (stage_.synchronous) return {false, stage_.error};
    stage_.pending.push_back({offset, cookie, index_});
    return {true, 0};
  }
  Stage& stage_;
  int index_;
  emulated::ReadyEvent event_;
};

class StagedStore final : public emulated::Store {
 public:
  explicit StagedStore(Stage& stage) : stage_(stage) {}
  absl::StatusOr<std::unique_ptr<emulated::StoreQueue>> NewQueue(std::uint32_t) override {
    stage_.done.emplace_back();
    return std::make_unique<StagedQueue>(stage_, static_cast<int>(stage_.done.size()) - 1);
  }
  bool is_synchronous() const noexcept override { return stage_.synchronous; }
  void Forget(std::uint64_t, std::uint64_t) noexcept override {}
  absl::Status Sync() override {
    return stage_.error == 0 ? absl::OkStatus() : absl::InternalError("staged");
  }

 private:
  Stage& stage_;
};

inline std::unique_ptr<Device> NewStaged(Stage& stage, const std::string& spec,
                                         std::unique_ptr<emulated::DriveHooks> hooks = nullptr) {
  EmulatedOptions options = *ParseEmulatedSpec(spec);
  auto memory = emulated::NewAnonymousMemory(emulated::WithDefaults(options),
                                             std::make_unique<StagedStore>(stage));
  REQUIRE(memory.ok());
  memory->hooks = std::move(hooks);
  auto device = emulated::NewDrive(options, {}, *std::move(memory), MonotonicClock());
  REQUIRE(device.ok());
  return *std::move(device);
}

inline constexpr std::uint64_t kBlock = 4096;

inline void Submit(IoQueue& queue, const IoRequest& request, std::uint64_t tag) {
  IoRequest tagged = request;
  tagged.user_data = tag;
  REQUIRE(queue.Submit({&tagged, 1}) == 1);
}

inline std::vector<Completion> PollNow(IoQueue& queue) {
  std::vector<Completion> done(16);
  done.resize(queue.Poll(done, 1, nanoseconds(0)));
  return done;
}

struct StagedFixture {
  Stage stage;
  AlignedBuffer buffer{1 << 16};
  IoRequest Write(std::uint64_t block) {
    return Request(IoOp::kWrite, block * kBlock, kBlock, buffer.data());
  }
};

}  // namespace zonal::test
