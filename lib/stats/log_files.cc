// SPDX-License-Identifier: MIT
#include "stats/log_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace zonal::stats {

// Collects text and writes it in large pieces; the first failure stands.
class LogFile {
 public:
  explicit LogFile(std::string path) : path_(std::move(path)) {
    file_ = std::fopen(path_.c_str(), "we");
    if (file_ == nullptr) error_ = errno;
  }
  ~LogFile() {
    if (file_ != nullptr) std::fclose(file_);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  std::string& text() noexcept { return text_; }
  void WriteIfLong() {
    constexpr std::size_t kLong = 1 << 16;
    if (text_.size() >= kLong) Write();
  }
  void Write() {
    if (error_ == 0 && !text_.empty()) {
      const bool written = std::fwrite(text_.data(), 1, text_.size(), file_) == text_.size();
      if (!written || std::fflush(file_) != 0) error_ = errno;
    }
    text_.clear();
  }
  const std::string& path() const noexcept { return path_; }
  int error() const noexcept { return error_; }

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  std::string text_;
  int error_ = 0;
};

namespace {

// "time, value, direction, block size[, offset], priority": ours have no priority.
void AppendLine(LogFile* file, const LogRow& row, std::uint64_t value, bool with_offset) {
  if (file == nullptr) return;
  std::string& text = file->text();
  absl::StrAppend(&text, row.at_ms, ", ", value, ", ", static_cast<int>(row.direction), ", ");
  absl::StrAppend(&text, row.bytes, ", ");
  if (with_offset) absl::StrAppend(&text, row.offset, ", ");
  text += "0\n";
  file->WriteIfLong();
}

void AppendHistogram(LogFile& file, const LogHistogram& histogram) {
  std::string& text = file.text();
  absl::StrAppend(&text, histogram.at_ms, ", ", static_cast<int>(histogram.direction), ", ",
                  histogram.bytes);
  for (const std::uint32_t count : histogram.counts) absl::StrAppend(&text, ", ", count);
  text += '\n';
  file.WriteIfLong();
}

std::string Reason(const LogFile& file) {
  return file.path() + ": " + std::generic_category().message(file.error());
}

}  // namespace

LogFiles::LogFiles() = default;
LogFiles::~LogFiles() = default;

absl::StatusOr<std::unique_ptr<LogFiles>> LogFiles::Create(std::span<const Workload> workers) {
  std::unique_ptr<LogFiles> files(new LogFiles());
  files->logs_.resize(workers.size());
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const TimeLogs& what = workers[i].logs;
    WorkerLog& log = files->logs_[i];
    log.name = workers[i].name;
    log.with_offsets = what.with_offsets;
    const std::string suffix = what.per_worker ? absl::StrCat(".", i + 1, ".log") : ".log";
    ZONAL_RETURN_IF_ERROR(files->OpenAll(log, what, suffix));
    const bool any = log.bandwidth != nullptr || log.iops != nullptr || log.total != nullptr ||
                     log.histogram != nullptr;
    if (!any) continue;
    TimeLogOptions options;
    options.after_ramp = workers[i].ramp_time.count() > 0;
    log.log = std::make_unique<TimeLog>(what, options);
  }
  return files;
}

absl::Status LogFiles::OpenAll(WorkerLog& log, const TimeLogs& what, const std::string& suffix) {
  struct Series {
    const std::string& name;
    const char* kind;
    LogFile*& file;
  };
  for (const Series& series :
       {Series{what.bandwidth, "_bw", log.bandwidth}, Series{what.iops, "_iops", log.iops},
        Series{what.latency, "_slat", log.submission},
        Series{what.latency, "_clat", log.completion}, Series{what.latency, "_lat", log.total},
        Series{what.histogram, "_clat_hist", log.histogram}}) {
    if (series.name.empty()) continue;
    ZONAL_ASSIGN_OR_RETURN(series.file, Open(series.name + series.kind + suffix));
  }
  return absl::OkStatus();
}

absl::StatusOr<LogFile*> LogFiles::Open(const std::string& path) {
  for (const std::unique_ptr<LogFile>& file : files_) {
    if (file->path() == path) return file.get();
  }
  auto file = std::make_unique<LogFile>(path);
  if (file->error() != 0) {
    return absl::ErrnoToStatus(file->error(), "the log " + path + " cannot be created");
  }
  return files_.emplace_back(std::move(file)).get();
}

void LogFiles::WriteRow(const WorkerLog& log, const LogRow& row) {
  if (row.has_rates) {
    AppendLine(log.bandwidth, row, row.kib_per_second, log.with_offsets);
    AppendLine(log.iops, row, row.ios_per_second, log.with_offsets);
  }
  if (!row.has_completion) return;
  if (row.has_submission) AppendLine(log.submission, row, row.submission_ns, log.with_offsets);
  AppendLine(log.completion, row, row.completion_ns, log.with_offsets);
  AppendLine(log.total, row, row.total_ns, log.with_offsets);
}

void LogFiles::Write() {
  for (const WorkerLog& worker : logs_) {
    if (worker.log == nullptr) continue;
    worker.log->TakeRows([&worker](const LogRow& row) { WriteRow(worker, row); });
    worker.log->TakeHistograms([&worker](const LogHistogram& histogram) {
      if (worker.histogram != nullptr) AppendHistogram(*worker.histogram, histogram);
    });
  }
  for (const std::unique_ptr<LogFile>& file : files_) file->Write();
}

std::vector<std::string> LogFiles::Complaints() const {
  std::vector<std::string> lines;
  for (const WorkerLog& worker : logs_) {
    if (worker.log == nullptr || worker.log->lost() == 0) continue;
    lines.push_back(absl::StrCat(worker.name, ": ", worker.log->lost(),
                                 " entries of the time logs came faster than they could be written "
                                 "and are missing: set log_avg_msec"));
  }
  for (const std::unique_ptr<LogFile>& file : files_) {
    if (file->error() != 0) lines.push_back("the log " + Reason(*file));
  }
  return lines;
}

}  // namespace zonal::stats
