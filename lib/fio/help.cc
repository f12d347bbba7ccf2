// SPDX-License-Identifier: MIT
// --help and --cmdhelp, from the option table.
#include <string>

#include "absl/strings/str_cat.h"
#include "fio/documents.h"
#include "fio/lookup.h"
#include "fio/option_table.h"
#include "zonal/fio.h"

namespace zonal {
namespace fio {
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

std::string Signature(const Option& option) {
  const std::string form(option.form);
  std::string text = absl::StrCat("--", std::string(option.name));
  if (option.value_rule == ValueRule::kRequired) absl::StrAppend(&text, "=", form);
  if (option.value_rule == ValueRule::kOptional) absl::StrAppend(&text, "[=", form, "]");
  if (!option.alias.empty()) absl::StrAppend(&text, "  (also --", std::string(option.alias), ")");
  return text;
}

std::string Meaning(const Option& option) {
  std::string text(option.meaning);
  if (option.support == Support::kNoEffect) text = "Accepted, without effect: " + text;
  if (option.support == Support::kRefused) text = "Not available here. " + text;
  if (!option.default_text.empty()) {
    absl::StrAppend(&text, " Default: ", std::string(option.default_text), ".");
  }
  return text;
}

void AppendOption(std::string& out, const Option& option) {
  absl::StrAppend(&out, "  ", Signature(option), "\n");
  AppendWrapped(out, Meaning(option));
}

// Names only, many in a line.
void AppendNames(std::string& out, Support support) {
  std::string names;
  for (const Option& option : Options()) {
    if (option.support != support) continue;
    absl::StrAppend(&names, names.empty() ? "" : " ", std::string(option.name));
  }
  AppendWrapped(out, names);
}

std::string FirstSentence(std::string_view text) {
  const std::size_t end = text.find(": ");
  const std::size_t stop = std::min({end, text.find(". "), text.size() - (text.empty() ? 0 : 1)});
  return std::string(text.substr(0, stop));
}

std::string ListAll() {
  std::string out;
  for (const Option& option : Options()) {
    const std::string name(option.name);
    const std::string pad(name.size() < 28 ? 28 - name.size() : 1, ' ');
    const char* prefix = option.support == Support::kRefused    ? "(not available) "
                         : option.support == Support::kNoEffect ? "(no effect) "
                                                                : "";
    absl::StrAppend(&out, name, pad, prefix, FirstSentence(option.meaning), "\n");
  }
  return out;
}

}  // namespace

std::string OptionHelp(std::string_view name) {
  if (name == "all") return ListAll();
  const absl::StatusOr<const Option*> option = FindOption(name);
  if (!option.ok()) return absl::StrCat(option.status().message(), "\n");
  std::string out;
  AppendOption(out, **option);
  return out;
}

}  // namespace fio

std::string FioOptionHelp() {
  using fio::Category;
  using fio::Support;
  std::string out =
      "Options have the names and meanings they have in fio. --opt=value and\n"
      "--opt value are the same, a unique prefix of a name will do, the last one of\n"
      "a name wins. Words that are no options are job files; - is standard input.\n"
      "SIZE takes k, m, g, t, p (powers of 1024); TIME takes us, ms, s, m, h, d and\n"
      "is in seconds without a unit. Lists by direction are of reads, writes, trims.\n";
  Category shown = Category::kEngines;
  for (const fio::Option& option : fio::Options()) {
    if (option.support != Support::kFull) continue;
    if (option.category != shown) {
      absl::StrAppend(&out, "\n", std::string(fio::Title(option.category)), ":\n");
      shown = option.category;
    }
    fio::AppendOption(out, option);
  }
  out += "\nAccepted, without effect:\n";
  fio::AppendNames(out, Support::kNoEffect);
  out += "\nNot available here (--cmdhelp=NAME says what is in place of it):\n";
  fio::AppendNames(out, Support::kRefused);
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
