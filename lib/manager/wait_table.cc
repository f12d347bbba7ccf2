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
                return w.key.kind == WaitKey::Kind::kTargets && w.range.Contains(zone);
              }));
}

std::optional<Waiter> WaitTable::Bucket::PopReader(ZoneId zone) {
  return Take(waiters, std::find_if(waiters.begin(), waiters.end(), [&](const Waiter& w) {
                return w.key.kind == WaitKey::Kind::kReset && w.key.zone == zone;
              }));
}

std::uint64_t WaitTable::Bucket::Shown(ZoneId zone) const {
  std::uint64_t shown = 0;
  for (const Waiter& waiter : waiters) {
    if (IsFor(waiter, zone)) shown |= kWanted | (waiter.for_operation ? kDraining : 0);
  }
  return shown;
}

bool WaitTable::Bucket::HasOperation(ZoneId zone) const {
  return std::any_of(waiters.begin(), waiters.end(),
                     [&](const Waiter& w) { return IsFor(w, zone) && w.for_operation; });
}

Waiter* WaitTable::Bucket::Find(const WaitKey& key, OwnerId queue) {
  const auto at = std::find_if(waiters.begin(), waiters.end(), [&](const Waiter& w) {
    return w.queue == queue && w.key.kind == key.kind && w.key.zone == key.zone;
  });
  return at == waiters.end() ? nullptr : &*at;
}

void WaitTable::Add(Bucket& bucket, const Waiter& waiter) {
  if (Waiter* known = bucket.Find(waiter.key, waiter.queue)) {
    known->for_operation |= waiter.for_operation;
    known->range = waiter.range;
    return;
  }
  bucket.waiters.push_back(waiter);
  Note(1);
}

void WaitTable::Remove(Bucket& bucket, const Waiter& waiter) {
  const Waiter* known = bucket.Find(waiter.key, waiter.queue);
  if (known == nullptr || (known->for_operation && !waiter.for_operation)) return;
  bucket.waiters.erase(bucket.waiters.begin() + (known - bucket.waiters.data()));
  Note(-1);
}

WaitTable::Bucket& WaitTable::For(const WaitKey& key) noexcept {
  if (key.kind == WaitKey::Kind::kSlot) return buckets_[64];
  if (key.kind == WaitKey::Kind::kTargets) return buckets_[65];
  return buckets_[key.zone.value() % 64];
}

}  // namespace zonal::manager
