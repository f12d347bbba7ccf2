// SPDX-License-Identifier: MIT
#include "manager/wait_table.h"

#include <algorithm>

namespace zonal::manager {
namespace {

bool IsFor(const Waiter& waiter, ZoneId zone) {
  return waiter.key.kind == WaitKey::Kind::kZone && waiter.key.zone == zone;
}

std::optional<Waiter> Take(std::vector<Waiter>& waiters, std::vector<Waiter>::iterator at) {
  if (at == waiters.end()) return std::nullopt;
  const Waiter waiter = *at;
  waiters.erase(at);
  return waiter;
}

}  // namespace

std::optional<Waiter> WaitTable::Bucket::PopForZone(ZoneId zone) {
  auto at = std::find_if(waiters.begin(), waiters.end(),
                         [&](const Waiter& w) { return IsFor(w, zone) && w.for_operation; });
  if (at == waiters.end()) {
    at = std::find_if(waiters.begin(), waiters.end(),
                      [&](const Waiter& w) { return IsFor(w, zone); });
  }
  return Take(waiters, at);
}

std::optional<Waiter> WaitTable::Bucket::PopForTarget(ZoneId zone) {
  return Take(waiters, std::find_if(waiters.begin(), waiters.end(), [&](const Waiter& w) {
                return w.key.kind == WaitKey::Kind::kTargets && zone >= w.range.first &&
                       zone.value() - w.range.first.value() < w.range.count;
              }));
}

std::optional<Waiter> WaitTable::Bucket::PopReader(ZoneId zone) {
  return Take(waiters, std::find_if(waiters.begin(), waiters.end(), [&](const Waiter& w) {
                return w.key.kind == WaitKey::Kind::kReset && w.key.zone == zone;
              }));
}

bool WaitTable::Bucket::HasWaiter(ZoneId zone) const {
  return std::any_of(waiters.begin(), waiters.end(),
                     [&](const Waiter& w) { return IsFor(w, zone); });
}

bool WaitTable::Bucket::HasOperation(ZoneId zone) const {
  return std::any_of(waiters.begin(), waiters.end(),
                     [&](const Waiter& w) { return IsFor(w, zone) && w.for_operation; });
}

bool WaitTable::Bucket::Contains(const WaitKey& key, OwnerId queue) const {
  return std::any_of(waiters.begin(), waiters.end(), [&](const Waiter& w) {
    return w.queue == queue && w.key.kind == key.kind && w.key.zone == key.zone;
  });
}

void WaitTable::Add(Bucket& bucket, const Waiter& waiter) {
  if (bucket.Contains(waiter.key, waiter.queue)) return;
  bucket.waiters.push_back(waiter);
  Note(1);
}

WaitTable::Bucket& WaitTable::For(const WaitKey& key) noexcept {
  if (key.kind == WaitKey::Kind::kSlot) return buckets_[64];
  if (key.kind == WaitKey::Kind::kTargets) return buckets_[65];
  return buckets_[key.zone.value() % 64];
}

}  // namespace zonal::manager
