// SPDX-License-Identifier: MIT
// Where the data lies.
#include "fio/options/apply.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

// `:` separates names, `\:` is a colon in a name.
absl::StatusOr<std::vector<std::string>> SplitNames(string_view value) {
  std::vector<std::string> names(1);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == ':') {
      names.emplace_back();
      continue;
    }
    if (value[i] == '\\' && i + 1 < value.size() && value[i + 1] == ':') ++i;
    names.back() += value[i];
  }
  for (const std::string& name : names) {
    if (name.empty()) {
      return InvalidArgumentError("expected a device, a file or emu,key=value,...");
    }
  }
  return names;
}

Status Filename(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.files.names, SplitNames(value));
  return OkStatus();
}
Status Directory(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(target.job.files.directories, SplitNames(value));
  return OkStatus();
}

Status FileSize(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const auto sizes, ParseByteRange(value, Range{1}, target.job.kb_base));
  if (sizes.first != sizes.second) {
    return InvalidArgumentError("a range of file sizes is not available here: give one size");
  }
  target.job.files.file_size = sizes.first;
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("filename", "SPEC[:SPEC]", "made from the job's name",
          "What to run on: a zoned block device, an emulated drive's file, a plain file, or "
          "emu,key=value,... in memory. Of several, separated by colons, each has a worker of its "
          "own; \\: is a colon in a name.",
          Filename),
    Value("directory", "DIRECTORY[:DIRECTORY]", "",
          "In front of relative names of files; of several, copies take turns.", Directory),
    Value("filename_format", "TEXT", "$jobname.$jobnum.$filenum",
          "Names of files where no filename is given.", Text<&Files::format>),
    Value("nrfiles", "N", "1", "So many files, where no filename is given.",
          Count<&Files::count, 1, 4096>)
        .Also("nr_files"),
    Value("filesize", "SIZE", "size", "Size of each file; size is then the default of io_size.",
          FileSize),
    Switch("allow_file_create", "1", "0: a file that does not exist is an error.",
           Flag<&Workload::may_create>),
    Switch("unlink", "0", "Removes the job's plain files when all jobs have ended.",
           Flag<&Files::unlink>),
    NoEffect("unique_filename", "0|1", "There is no client mode."),
    NoEffect("openfiles", "N", "A worker has one file."),
    NoEffect("file_service_type", "ORDER", "A worker has one file."),
    NoEffect("fallocate", "HOW", "Files are made sparse."),
    NoEffect("fadvise_hint", "HINT", "The kernel is given no hints."),
    NoEffect("create_serialize", "0|1", "Files are made before the run."),
    NoEffect("create_fsync", "0|1", "Files are made before the run."),
    NoEffect("invalidate", "0|1", "Use direct=1 to go past the page cache."),
    NoEffect("overwrite", "0|1", "Files are made before the run and then overwritten."),
    Refused("opendir", "DIRECTORY", "Name the files with filename."),
    Refused("lockfile", "none|exclusive|readwrite", "Give each job a file of its own.", "none"),
    Refused("file_append", "0|1", "Use offset.", "0"),
    Refused("create_on_open", "0|1", "Files are made before the run.", "0"),
    Refused("create_only", "0|1", "Use truncate -s or zonal create.", "0"),
    Refused("allow_mounted_write", "0|1",
            "What is mounted, held or partitioned is never opened for writing.", "0"),
    Refused("pre_read", "0|1", "Run a job with rw=read first.", "0"),
    Refused("unlink_each_loop", "0|1", "Use unlink.", "0"),
    Refused("write_hint", "HINT", "Write life times are not passed on.", "none"),
};

}  // namespace

std::span<const Option> TargetsOptions() { return kRows; }

}  // namespace zonal::fio
