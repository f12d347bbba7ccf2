// SPDX-License-Identifier: MIT
// What was typed for one job, and for the whole command: values of the options,
// before they become workloads. Plain values; defaults are fio's. What needs no
// translation stands in `work` itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fio/values/numbers.h"
#include "zonal/fio.h"
#include "zonal/report.h"
#include "zonal/workload.h"

namespace zonal::fio {

// A log's name that stands for the job's.
inline constexpr std::string_view kLogOfJobName = "$jobname";

// By their full names, the last one of each, with keywords replaced.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

// Where a job's data lies: `filename`, or names made from `filename_format`.
struct Files {
  std::vector<std::string> names;
  std::vector<std::string> directories;
  std::string format = "$jobname.$jobnum.$filenum";
  std::uint32_t count = 1;      // nrfiles
  std::uint64_t file_size = 0;  // filesize
  bool unlink = false;
};

// What fills the buffers of writes, before one of the options wins.
struct Buffers {
  bool zero = false;
  bool refill = false;
  bool scramble = true;
  std::vector<std::byte> pattern;
};

enum class ExitWhat : std::uint8_t { kGroup, kStonewall, kAll };

// How jobs follow each other.
struct Order {
  bool stonewall = false;
  bool new_group = false;
  std::string wait_for;
  nanoseconds start_delay_least{0}, start_delay_most{0};
  bool exit_all = false;
  ExitWhat exit_what = ExitWhat::kGroup;
};

struct VerifyState {
  bool save = false;
  bool load = false;
};

// Which CPUs: clones share them, or take one each.
struct Cpus {
  std::vector<std::uint32_t> allowed;
  bool split = false;
};

struct Job {
  Job() { work.reads = true; }

  std::string name;
  Workload work;
  std::string rw_name = "read";  // as the job line prints it
  KbBase kb_base = KbBase::k1024;
  Files files;
  Extent offset, size, io_size, offset_increment, zone_skip;
  std::uint32_t numjobs = 1;
  std::string ioengine = "psync";
  bool ioengine_typed = false;
  std::uint32_t job_max_open_zones = 0;
  std::optional<bool> norandommap;
  std::optional<std::uint64_t> randseed;
  bool randrepeat = true;
  bool group_reporting = false;
  Buffers buffers;
  Order order;
  VerifyState verify_state;
  bool experimental_verify = false;
  Cpus cpus;
  WorkerView view;
  bool continues_on_error = false;

  OptionValues typed;    // for this job, without the global ones
  OptionValues applied;  // all that made it, in order
};

// Options of the command, wherever they stand.
struct Command {
  std::vector<ReportFormat> formats = {ReportFormat::kNormal};
  bool append_terse = false;
  std::string output_path;
  std::string eta = "auto";
  nanoseconds eta_interval{0}, eta_newline{0}, status_interval{0};
  int significant_figures = 4;
  int terse_version = 3;
  std::string aux_path;
  std::vector<std::string> sections;
  bool read_only = false;
  bool parse_only = false;
  bool show_command = false;
  bool version = false;
  bool warnings_fatal = false;
  std::string help_text;  // --cmdhelp, --enghelp
  std::vector<std::string> notices;
  std::vector<std::string> without_effect;  // "--alloc-size": all in one notice
};

}  // namespace zonal::fio
