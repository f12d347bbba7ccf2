// SPDX-License-Identifier: MIT
// The implicitly open zones in the order in which they became so: a doubly
// linked list through a lazily touched table, so that every step is constant
// time at any limit. Not thread-safe: used under the drive's mutex.
#pragma once

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "device/emulated/lazy_mapping.h"

namespace zonal::emulated {

class ImplicitOrder {
 public:
  ImplicitOrder() noexcept = default;
  static absl::StatusOr<ImplicitOrder> New(std::uint32_t zones) {
    absl::StatusOr<LazyMapping> links =
        LazyMapping::New((std::uint64_t{zones} + 1) * sizeof(Link), PageSize::kHuge);
    if (!links.ok()) return links.status();
    ImplicitOrder order;
    order.links_ = *std::move(links);
    return order;
  }

  bool empty() const noexcept { return At(kHead).next == kHead; }
  // REQUIRES: not empty.
  std::uint32_t oldest() const noexcept { return At(kHead).next - 1; }

  void PushNewest(std::uint32_t zone) noexcept {
    const std::uint32_t node = zone + 1;
    const std::uint32_t last = At(kHead).previous;
    At(node) = {last, kHead};
    At(last).next = node;
    At(kHead).previous = node;
  }
  // REQUIRES: `zone` is in the list.
  void Remove(std::uint32_t zone) noexcept {
    const Link link = At(zone + 1);
    At(link.previous).next = link.next;
    At(link.next).previous = link.previous;
  }

 private:
  // Node 0 is the ring's head, node n + 1 is zone n: all zeros is an empty ring.
  struct Link {
    std::uint32_t previous, next;
  };
  static constexpr std::uint32_t kHead = 0;
  Link& At(std::uint32_t node) const noexcept { return links_.As<Link>()[node]; }

  LazyMapping links_;
};

}  // namespace zonal::emulated
