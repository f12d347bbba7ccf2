// SPDX-License-Identifier: MIT
// Draws zones as strips of characters: by condition, and by how full they are.
// A pure function, thread-safe.
#pragma once

#include <span>
#include <string>

#include "zonal/zone.h"

namespace zonal::report {

struct ZoneMapOptions {
  ZoneId first;                   // the id of the first zone given
  int width = 80;                 // characters of a line; below 40 is taken as 40
  int max_strips = 16;            // zones are grouped so that no more are needed
  bool block_characters = false;  // UTF-8 bars for the fill; else ASCII
};

// Few zones get a line and a bar each. More become cells in strips: a line of
// conditions, and under it one of fills. A cell stands for one zone, or for a
// group (a round number of them) if they are many: then it shows the condition
// that matters most in it, and the fill of all together. Ends with a legend that
// counts zones by condition.
std::string FormatZoneMap(std::span<const Zone> zones, const ZoneMapOptions& options);

}  // namespace zonal::report
