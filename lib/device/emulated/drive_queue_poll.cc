// SPDX-License-Identifier: MIT
// The delivering half of a drive's queue: moving on what waits, sleeping, handing
// out completions.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/deadline.h"
#include "device/emulated/drive_queue.h"

namespace zonal::emulated {
namespace {

// How long to sleep when only another queue's landing can help: nobody wakes us.
constexpr nanoseconds kTurnSlice{50'000};

}  // namespace

void DriveQueue::AdvanceWaiting() noexcept {
  if (storing_ > 0) TakeStoreCompletions(0, nanoseconds(0));
  std::size_t kept = 0;
  for (const std::uint32_t index : waiting_) {
    if (Advance(slots_[index])) {
      free_.Give(index);
    } else {
      waiting_[kept++] = index;
    }
  }
  waiting_.resize(kept);
}

void DriveQueue::TakeStoreCompletions(std::size_t min, nanoseconds wait) noexcept {
  std::array<StoreCompletion, 64> done;
  for (;;) {
    const std::size_t count = store_->Poll(done, min, wait);
    for (const StoreCompletion& completion : std::span(done).first(count)) {
      Slot& slot = slots_[completion.cookie];
      slot.stored = completion.error == 0;
      slot.stage = Stage::kStored;
      --storing_;
    }
    if (count < done.size()) return;
    min = 0;
    wait = nanoseconds(0);
  }
}

std::size_t DriveQueue::Poll(std::span<Completion> out, std::size_t min,
                             nanoseconds wait) noexcept {
  if (armed_) Disarm();
  if (!waiting_.empty()) AdvanceWaiting();
  std::size_t count = ready_.Pop(out);
  min = std::min(min, out.size());
  const bool woken = wake_.Consume();
  if (count < min && !woken && wait.count() != 0) {
    count += PollAsleep(out.subspan(count), min - count, wait);
  }
  if (count == 0) return 0;
  const Instant now = clock_.Now();
  for (Completion& completion : out.first(count)) completion.completed_at = now;
  return count;
}

std::size_t DriveQueue::PollAsleep(std::span<Completion> out, std::size_t min,
                                   nanoseconds wait) noexcept {
  const core::Deadline deadline(wait);
  std::size_t count = 0;
  while (!deadline.Passed()) {
    WaitForProgress(deadline.Left().value_or(nanoseconds(-1)));
    const bool woken = wake_.Consume();
    AdvanceWaiting();
    count += ready_.Pop(out.subspan(count));
    if (count >= min || woken) return count;
  }
  return count;
}

void DriveQueue::WaitForProgress(nanoseconds wait) noexcept {
  const bool turns = waiting_.size() > storing_;
  if (turns && (wait.count() < 0 || wait > kTurnSlice)) wait = kTurnSlice;
  if (storing_ > 0) {
    TakeStoreCompletions(1, wait);
  } else {
    wake_.Sleep(wait);
  }
}

void DriveQueue::Wake() noexcept {
  wake_.Wake();
  event_.Signal();
  if (!config_.store_answers_at_once) store_->Wake();
}

int DriveQueue::event_fd() noexcept {
  if (config_.store_answers_at_once) return event_.fd();
  if (both_events_ >= 0) return both_events_;
  const int both = ::epoll_create1(EPOLL_CLOEXEC);
  bool complete = both >= 0;
  for (const int fd : {event_.fd(), store_->event_fd()}) {
    epoll_event readable{};
    readable.events = EPOLLIN;
    complete = complete && fd >= 0 && ::epoll_ctl(both, EPOLL_CTL_ADD, fd, &readable) == 0;
  }
  if (!complete && both >= 0) ::close(both);
  both_events_ = complete ? both : -1;
  return both_events_;
}

bool DriveQueue::Arm() noexcept {
  if (event_fd() < 0) return false;
  if (armed_) Disarm();
  armed_ = true;
  event_.Arm();
  if (!HasWork()) return true;
  Disarm();
  return false;
}

void DriveQueue::Disarm() noexcept {
  event_.Disarm();
  armed_ = false;
  if (on_the_bell_) drive_.landing_bell().TakeDown(event_);
  on_the_bell_ = false;
}

bool DriveQueue::PollBlocks() const noexcept {
  return std::any_of(waiting_.begin(), waiting_.end(), [this](std::uint32_t index) {
    const Stage stage = slots_[index].stage;
    return stage == Stage::kFlushing || stage == Stage::kPreparing;
  });
}

bool DriveQueue::HasWork() noexcept {
  if (ready_.size() > 0 || wake_.woken() || PollBlocks()) return true;
  if (!waiting_.empty()) {
    // What waits for its turn is told when another queue lands something.
    drive_.landing_bell().HangUp(event_);
    on_the_bell_ = true;
    AdvanceWaiting();
    if (ready_.size() > 0 || PollBlocks()) return true;
  }
  if (config_.store_answers_at_once) return false;
  if (storing_ == 0) TakeStoreCompletions(0, nanoseconds(0));  // forgets its Wake
  return !store_->Arm();
}

absl::Status DriveQueue::Close(nanoseconds deadline) {
  closing_ = true;
  const core::Deadline end(deadline);
  std::array<Completion, 64> dropped;
  while (in_flight() > 0) {
    Poll(dropped, 1, kTurnSlice);
    if (in_flight() > 0 && end.Passed()) {
      return absl::DeadlineExceededError(std::to_string(in_flight()) +
                                         " requests are still in flight on a queue of " +
                                         drive_.info().spec);
    }
  }
  return absl::OkStatus();
}

}  // namespace zonal::emulated
