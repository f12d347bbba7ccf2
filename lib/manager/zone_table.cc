// SPDX-License-Identifier: MIT
#include "manager/zone_table.h"

#include <sys/mman.h>

#include <string>
#include <utility>

namespace zonal::manager {

absl::StatusOr<ZoneTable> ZoneTable::Create(std::uint32_t zones) {
  const std::size_t bytes = std::size_t{zones} * sizeof(ZoneCell);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError("no memory for a table of " + std::to_string(zones) +
                                        " zones (" + std::to_string(bytes) + " bytes)");
  }
  // Random zones of a large table miss the TLB; a small table is not worth a huge page.
  constexpr std::size_t kWorthHugePages = 4u << 20;
  if (bytes >= kWorthHugePages) madvise(memory, bytes, MADV_HUGEPAGE);
  // Zero-filled memory is a table of zeroed cells: atomics of trivial type.
  return ZoneTable(static_cast<ZoneCell*>(memory), zones);
}

ZoneTable::ZoneTable(ZoneTable&& other) noexcept
    : cells_(std::exchange(other.cells_, nullptr)),
      size_(other.size_),
      default_capacity_(other.default_capacity_) {}

ZoneTable::~ZoneTable() {
  if (cells_ != nullptr) munmap(cells_, std::size_t{size_} * sizeof(ZoneCell));
}

void ZoneTable::SetCapacity(ZoneId zone, std::uint64_t bytes) noexcept {
  if (CapacityOf(zone) == bytes) return;
  cells_[zone.value()].capacity_less.store(default_capacity_ - bytes, std::memory_order_relaxed);
}

}  // namespace zonal::manager
