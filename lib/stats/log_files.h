// SPDX-License-Identifier: MIT
// The files of a run's time logs, in fio's format and under fio's names:
// NAME_bw.N.log, NAME_iops, NAME_slat, NAME_clat, NAME_lat, NAME_clat_hist, where N
// counts workers from 1; one file for all of them without `per_worker`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "stats/time_log.h"

namespace zonal::stats {

class LogFile;

class LogFiles {
 public:
  // Creates the files, or empties them. Fails if one cannot be.
  static absl::StatusOr<std::unique_ptr<LogFiles>> Create(std::span<const Workload> workers);
  ~LogFiles();

  // Null if the worker keeps no log.
  TimeLog* of(std::size_t worker) noexcept { return logs_[worker].log.get(); }
  bool empty() const noexcept { return files_.empty(); }

  // Writes what was recorded so far. One thread at a time.
  void Write();
  // After the last Write(): what is missing in the files and why, a line each.
  std::vector<std::string> Complaints() const;

 private:
  struct WorkerLog {
    std::string name;
    std::unique_ptr<TimeLog> log;
    bool with_offsets = false;
    LogFile* bandwidth = nullptr;
    LogFile* iops = nullptr;
    LogFile* submission = nullptr;
    LogFile* completion = nullptr;
    LogFile* total = nullptr;
    LogFile* histogram = nullptr;
  };

  LogFiles();
  absl::StatusOr<LogFile*> Open(const std::string& path);
  absl::Status OpenAll(WorkerLog& log, const TimeLogs& what, const std::string& suffix);
  static void WriteRow(const WorkerLog& log, const LogRow& row);

  std::vector<WorkerLog> logs_;
  std::vector<std::unique_ptr<LogFile>> files_;
};

}  // namespace zonal::stats
