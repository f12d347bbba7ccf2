// SPDX-License-Identifier: MIT
#include "manager/queue_registry.h"

#include <algorithm>
#include <utility>

namespace zonal::manager {

QueueEntry* QueueRegistry::Find(OwnerId id) const {
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const auto& entry) { return entry->id == id; });
  return at == entries_.end() ? nullptr : at->get();
}

absl::StatusOr<QueueEntry*> QueueRegistry::Add(IoQueue& io) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= kMaxQueueId) {
    return absl::ResourceExhaustedError("this zone manager has 65,532 queues: destroy some");
  }
  while (Find(next_) != nullptr) next_ = next_ == kMaxQueueId ? 1 : static_cast<OwnerId>(next_ + 1);
  auto entry = std::make_unique<QueueEntry>();
  entry->id = next_;
  entry->io = &io;
  next_ = next_ == kMaxQueueId ? 1 : static_cast<OwnerId>(next_ + 1);
  entries_.push_back(std::move(entry));
  return entries_.back().get();
}

void QueueRegistry::Remove(OwnerId id) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) { return entry->id == id; });
}

void QueueRegistry::Give(OwnerId id, Grant grant) {
  const std::lock_guard lock(mutex_);
  QueueEntry* entry = Find(id);
  entry->grants.push_back(grant);
  entry->has_grants.store(true, std::memory_order_release);
}

std::vector<Grant> QueueRegistry::TakeGrants(QueueEntry& entry) {
  const std::lock_guard lock(mutex_);
  entry.has_grants.store(false, std::memory_order_relaxed);
  return std::exchange(entry.grants, {});
}

void QueueRegistry::Wake(OwnerId id) noexcept {
  const std::lock_guard lock(mutex_);
  if (QueueEntry* entry = Find(id)) entry->io->Wake();
}

std::optional<std::int64_t> QueueRegistry::LastPoll(OwnerId id) const {
  const std::lock_guard lock(mutex_);
  const QueueEntry* entry = Find(id);
  if (entry == nullptr) return std::nullopt;
  return entry->last_poll_ns.load(std::memory_order_relaxed);
}

bool QueueRegistry::empty() const {
  const std::lock_guard lock(mutex_);
  return entries_.empty();
}

}  // namespace zonal::manager
