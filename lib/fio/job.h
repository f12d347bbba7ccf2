// SPDX-License-Identifier: MIT
// What was typed for one job, and for the whole command: values of the options,
// before they become workloads. Plain values; defaults are fio's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fio/values.h"
#include "zonal/workload.h"

namespace zonal::fio {

struct ReadWrite {
  Pattern pattern = Pattern::kSequential;
  bool reads = true;
  bool writes = false;
  std::string_view name = "read";  // as the job line prints it
};

using OptionValues = std::vector<std::pair<std::string, std::string>>;

struct Job {
  std::string name;
  std::string filename;
  ReadWrite rw;
  std::uint64_t read_block = 4096;
  std::uint64_t write_block = 4096;
  Extent offset, size, io_size;
  std::uint32_t iodepth = 1;
  std::uint32_t numjobs = 1;
  nanoseconds runtime{0};
  nanoseconds ramp_time{0};
  bool time_based = false;
  bool direct = false;
  std::string ioengine = "psync";
  bool ioengine_typed = false;
  ZoneMode zone_mode = ZoneMode::kNone;
  std::uint64_t zone_size = 0;
  std::uint64_t zone_capacity = 0;
  std::uint32_t max_open_zones = 0;
  std::uint32_t job_max_open_zones = 0;
  bool read_beyond_wp = false;
  std::optional<double> zone_reset_threshold;
  std::optional<double> zone_reset_frequency;
  std::uint32_t read_percent = 50;
  bool norandommap = false;
  std::optional<std::uint64_t> randseed;
  bool randrepeat = true;
  bool group_reporting = false;

  // As typed, by their full names, the last one of each; those given for this
  // job, without the global ones.
  OptionValues typed;
};

// Options of the command, wherever they stand.
struct Command {
  std::string output_format = "normal";
  std::string output_path;
  std::string eta = "auto";
  int significant_figures = 4;
  std::vector<std::string> notices;
};

}  // namespace zonal::fio
