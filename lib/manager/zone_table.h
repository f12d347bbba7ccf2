// SPDX-License-Identifier: MIT
// The table of zone cells: an anonymous mapping, touched lazily, huge pages
// advised, so that a million zones cost address space until they are used.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "manager/zone_cell.h"
#include "zonal/geometry.h"

namespace zonal::manager {

class ZoneTable {
 public:
  // ResourceExhausted if the mapping cannot be made.
  static absl::StatusOr<ZoneTable> Create(std::uint32_t zones);
  ZoneTable(ZoneTable&& other) noexcept;
  ZoneTable& operator=(ZoneTable&&) = delete;
  ~ZoneTable();

  ZoneCell& operator[](ZoneId zone) const noexcept { return cells_[zone.value()]; }
  std::uint32_t size() const noexcept { return size_; }

  std::uint64_t default_capacity() const noexcept { return default_capacity_; }
  void set_default_capacity(std::uint64_t bytes) noexcept { default_capacity_ = bytes; }
  std::uint64_t CapacityOf(ZoneId zone) const noexcept {
    return default_capacity_ - cells_[zone.value()].capacity_less.load(std::memory_order_relaxed);
  }
  // Leaves an all-zero cell alone where it already says so.
  void SetCapacity(ZoneId zone, std::uint64_t bytes) noexcept;

 private:
  ZoneTable(ZoneCell* cells, std::uint32_t size) noexcept : cells_(cells), size_(size) {}
  ZoneCell* cells_;
  std::uint32_t size_;
  std::uint64_t default_capacity_ = 0;
};

}  // namespace zonal::manager
