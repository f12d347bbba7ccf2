// SPDX-License-Identifier: MIT
#include "zonal/device.h"

namespace zonal {

std::vector<NamedCounter> NamedCounters(const DriveCounters& c) {
  return {{"reads", c.reads},
          {"bytes_read", c.bytes_read},
          {"writes", c.writes},
          {"bytes_written", c.bytes_written},
          {"appends", c.appends},
          {"resets", c.resets},
          {"finishes", c.finishes},
          {"opens", c.opens},
          {"closes", c.closes},
          {"flushes", c.flushes},
          {"rule_violations", c.rule_violations},
          {"implicit_closes", c.implicit_closes},
          {"open_now", c.open_now},
          {"active_now", c.active_now},
          {"open_high_water", c.open_high_water},
          {"active_high_water", c.active_high_water}};
}

DriveCounters Between(const DriveCounters& before, const DriveCounters& after) noexcept {
  DriveCounters grown = after;
  grown.reads -= before.reads;
  grown.bytes_read -= before.bytes_read;
  grown.writes -= before.writes;
  grown.bytes_written -= before.bytes_written;
  grown.appends -= before.appends;
  grown.resets -= before.resets;
  grown.finishes -= before.finishes;
  grown.opens -= before.opens;
  grown.closes -= before.closes;
  grown.flushes -= before.flushes;
  grown.rule_violations -= before.rule_violations;
  grown.implicit_closes -= before.implicit_closes;
  return grown;
}

}  // namespace zonal
