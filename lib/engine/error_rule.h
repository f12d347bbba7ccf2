// SPDX-License-Identifier: MIT
// Which failures a worker survives. As fio has it: EIO and EILSEQ, where going on
// is asked for at all; a list of errnos takes the place of these two.
#pragma once

#include <algorithm>
#include <cerrno>
#include <vector>

#include "zonal/errc.h"
#include "zonal/workload.h"

namespace zonal::engine {

class ErrorRule {
 public:
  explicit ErrorRule(const ErrorPolicy& policy) noexcept : policy_(policy) {}

  bool Survives(Direction direction, const IoResult& failed) const noexcept {
    // Trims change the device: the list of writes holds for them.
    const std::size_t list = direction == Direction::kRead ? 0 : 1;
    return policy_.go_on[static_cast<std::size_t>(direction)] && Names(list, ToErrno(failed));
  }
  bool SurvivesMismatch() const noexcept {
    return policy_.go_on_after_mismatch && Names(2, EILSEQ);
  }
  bool goes_on() const noexcept {
    return policy_.go_on_after_mismatch || policy_.go_on != decltype(policy_.go_on){};
  }

 private:
  bool Names(std::size_t list, int error) const noexcept {
    const std::vector<int>& named = policy_.ignored[list];
    if (named.empty()) return error == EIO || error == EILSEQ;
    return std::find(named.begin(), named.end(), error) != named.end();
  }

  const ErrorPolicy& policy_;
};

}  // namespace zonal::engine
