// SPDX-License-Identifier: MIT
// A worker's progress as others may read it while it runs.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "zonal/run.h"

namespace zonal::engine {

struct alignas(64) ProgressCell {
  std::atomic<char> state{'P'};
  std::atomic<std::uint64_t> bytes_done{0};
  std::array<std::atomic<std::uint64_t>, kDirections> bytes{}, ios{};

  WorkerProgress Read(std::uint64_t planned) const noexcept {
    WorkerProgress progress;
    progress.state = state.load(std::memory_order_relaxed);
    progress.bytes_done = bytes_done.load(std::memory_order_relaxed);
    progress.bytes_planned = planned;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      progress.bytes[i] = bytes[i].load(std::memory_order_relaxed);
      progress.ios[i] = ios[i].load(std::memory_order_relaxed);
    }
    return progress;
  }
};

}  // namespace zonal::engine
