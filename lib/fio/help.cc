// SPDX-License-Identifier: MIT
// --help, from the option table.
#include <string>

#include "absl/strings/str_cat.h"
#include "fio/option_table.h"
#include "zonal/fio.h"

namespace zonal {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 6;

// `text` in lines of at most kWidth, each behind kIndent blanks.
void AppendWrapped(std::string& out, std::string_view text) {
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    if (column != 0 && column + 1 + word.size() > kWidth) {
      out += '\n';
      column = 0;
    }
    if (column == 0)
      out.append(kIndent, ' ');
    else
      out += ' ';
    column += (column == 0 ? kIndent : 1) + word.size();
    out += word;
  }
  out += '\n';
}

void AppendOption(std::string& out, const fio::Option& option) {
  const bool optional = option.value_rule == fio::ValueRule::kOptional;
  const std::string form(option.form);
  absl::StrAppend(&out, "  --", std::string(option.name),
                  optional ? absl::StrCat("[=", form.substr(1)) : absl::StrCat("=", form));
  if (!option.alias.empty()) absl::StrAppend(&out, "  (also --", std::string(option.alias), ")");
  out += '\n';
  std::string text(option.meaning);
  if (!option.default_text.empty()) {
    absl::StrAppend(&text, " Default: ", std::string(option.default_text), ".");
  }
  AppendWrapped(out, text);
}

}  // namespace

std::string FioOptionHelp() {
  std::string out =
      "Options have the names and meanings they have in fio. --opt=value and\n"
      "--opt value are the same, a unique prefix of a name will do, the last one of\n"
      "a name wins. SIZE takes k, m, g, t, p (powers of 1024); TIME takes ms, s, m,\n"
      "h, d and is in seconds without a unit.\n\n";
  for (const fio::Option& option : fio::Options()) AppendOption(out, option);
  out +=
      "\nExamples:\n"
      "  Fill eight zones of an emulated drive in memory:\n"
      "    zonal run --name=fill --filename=emu,zones=32,zone_size=64MiB \\\n"
      "      --zonemode=zbd --rw=write --bs=256k --size=8z --direct=1\n"
      "  Random writes by two jobs into at most four zones at once, for 30 seconds:\n"
      "    zonal run --name=rand --filename=/dev/nvme0n1 --zonemode=zbd --direct=1 \\\n"
      "      --rw=randwrite --bs=16k --ioengine=io_uring --iodepth=32 --numjobs=2 \\\n"
      "      --max_open_zones=4 --time_based --runtime=30s --group_reporting\n";
  return out;
}

}  // namespace zonal
