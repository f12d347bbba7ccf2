// SPDX-License-Identifier: MIT
// Zones.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr Choice<ZoneMode> kModes[] = {
    {"none", ZoneMode::kNone}, {"strided", ZoneMode::kStrided}, {"zbd", ZoneMode::kZbd}};
Status Zonemode(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.work.zone_mode, Choose(value, kModes));
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("zonemode", "none|strided|zbd", "none",
          "zbd: keep to the rules of zones, writing at write pointers and resetting full zones "
          "before writing them again. strided: work in a window, then go to the next.",
          Zonemode),
    Value("zonesize", "SIZE", "the device's",
          "zbd: zone size, required on a plain file or ordinary block device, else it must agree. "
          "strided: bytes moved in each window.",
          Bytes<&Workload::zone_size>),
    Value("zonecapacity", "SIZE", "zonesize",
          "Writable bytes per zone laid over a plain file or ordinary block device.",
          Bytes<&Workload::zone_capacity>),
    Value("zonerange", "SIZE", "zonesize", "strided: length of a window.",
          Bytes<&Workload::zone_range>),
    Value("zoneskip", "SIZE|Nz", "0",
          "Bytes left out behind each window, or behind each zone of a sequential job.",
          Position<&Job::zone_skip>),
    Switch("read_beyond_wp", "0", "Lets reads go past write pointers.",
           Flag<&Workload::read_beyond_write_pointer>),
    Value("max_open_zones", "N", "0",
          "Zones written at once by all jobs on a device; 0: the device's own limit.",
          Count<&Workload::max_open_zones, 0, kMost32>),
    Value("job_max_open_zones", "N", "0", "The same for each job alone.",
          Count<&Job::job_max_open_zones, 0, kMost32>),
    Switch("ignore_zone_limits", "0", "max_open_zones may exceed the device's own limit.",
           Flag<&Workload::ignore_device_limits>),
    Value("zone_reset_threshold", "0..1", "",
          "Share of the range that must hold data before periodic resets begin; goes with "
          "zone_reset_frequency.",
          Fraction<&Workload::zone_reset_threshold>),
    Value("zone_reset_frequency", "0..1", "",
          "Past the threshold, every (1/f)-th write first resets the zone it goes to.",
          Fraction<&Workload::zone_reset_frequency>),
    Switch("write_zone_remainder", "0",
           "Writes a zone's tail that is too small for a block short, in place of a finish.",
           Flag<&Workload::write_zone_remainder>),
    Switch("recover_zbd_write_error", "0",
           "After a failed write, writes the lost tail of the zone again; needs "
           "continue_on_error.",
           Flag<&Workload::recover_write_errors>),
};

}  // namespace

std::span<const Option> ZonesOptions() { return kRows; }

}  // namespace zonal::fio
