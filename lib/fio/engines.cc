// SPDX-License-Identifier: MIT
// fio's engines: which run here, and what there is in place of the others.
#include <string>

#include "absl/strings/str_cat.h"
#include "fio/documents.h"
#include "fio/option_table.h"

namespace zonal::fio {
namespace {

struct Engine {
  std::string_view name;
  bool runs;
  std::string_view text;
};
constexpr Engine kEngines[] = {
    {"io_uring", true, "the kernel's rings: the fastest"},
    {"libaio", true, "io_submit: keeps the order of writes to a zone"},
    {"psync", true, "pread and pwrite, one at a time"},
    {"sync", true, "runs as psync"},
    {"vsync", true, "runs as psync"},
    {"pvsync", true, "runs as psync"},
    {"pvsync2", true, "runs as psync"},
    {"sg", true, "runs as libaio on the block device"},
    {"posixaio", false, "use io_uring or libaio"},
    {"io_uring_cmd", false, "use io_uring on the block device"},
    {"libzbc", false, "use psync or libaio on the block device"},
    {"xnvme", false, "use io_uring on the block device"},
    {"libblkio", false, "use io_uring on the block device"},
    {"null", false, "use filename=emu,data=discard,..."},
    {"mmap", false, "use psync with direct=0"},
    {"splice", false, "use psync"},
};

}  // namespace

bool IsEngine(std::string_view name) {
  for (const Engine& engine : kEngines) {
    if (engine.name == name) return engine.runs;
  }
  return false;
}

std::string_view InsteadOfEngine(std::string_view name) {
  for (const Engine& engine : kEngines) {
    if (engine.name == name && !engine.runs) return engine.text;
  }
  return "";
}

std::string EngineHelp(std::string_view wanted) {
  const std::size_t comma = wanted.find(',');
  if (comma != std::string_view::npos) return OptionHelp(wanted.substr(comma + 1));
  std::string out;
  for (const Engine& engine : kEngines) {
    if (!wanted.empty() && engine.name != wanted) continue;
    const std::string pad(engine.name.size() < 14 ? 14 - engine.name.size() : 1, ' ');
    absl::StrAppend(&out, "  ", std::string(engine.name), pad,
                    engine.runs ? "" : "not available: ", std::string(engine.text), "\n");
  }
  if (!wanted.empty()) {
    if (out.empty()) return absl::StrCat("no such engine: ", std::string(wanted), "\n");
    return out;
  }
  return "Engines of kernel devices (an emulated drive has a queue of its own):\n" + out;
}

}  // namespace zonal::fio
