// SPDX-License-Identifier: MIT
// Text of a job file -> sections of options. Lines are trimmed; what follows a
// `;` or `#` is a comment wherever it stands, as in fio.
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "fio/lookup.h"
#include "fio/sections.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::Status;
using absl::StrCat;

constexpr int kMostIncludes = 16;  // deep: a file that includes itself ends

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

class JobFileReader {
 public:
  JobFileReader(const FioParseOptions& options, std::vector<Section>& sections)
      : options_(options), sections_(sections) {}

  Status Read(const std::string& path, std::string_view text, int depth) {
    std::size_t number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string where = StrCat(path, ":", ++number, ": ");
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.find('\0') != std::string_view::npos) {
        return InvalidArgumentError(StrCat(where, "a zero byte: this is not a job file"));
      }
      ZONAL_RETURN_IF_ERROR(ReadLine(Trim(line.substr(0, line.find_first_of(";#"))), where, depth));
    }
    return absl::OkStatus();
  }

 private:
  Status ReadLine(std::string_view line, const std::string& where, int depth) {
    if (line.empty()) return absl::OkStatus();
    if (line.front() == '[') return StartSection(line, where, depth);
    if (line.substr(0, 8) == "include " || line.substr(0, 8) == "include\t") {
      return Include(std::string(Trim(line.substr(8))), where, depth);
    }
    if (!in_section_) {
      return InvalidArgumentError(
          StrCat(where, "option ", std::string(line), " outside of a [section]"));
    }
    const std::size_t equals = line.find('=');
    const std::string_view name = Trim(line.substr(0, equals));
    const absl::StatusOr<const Option*> option = FindOption(name);
    if (!option.ok()) return InvalidArgumentError(StrCat(where, option.status().message()));
    return Keep(**option,
                equals == std::string_view::npos ? std::nullopt
                                                 : std::optional(Trim(line.substr(equals + 1))),
                where);
  }

  Status StartSection(std::string_view line, const std::string& where, int depth) {
    if (depth > 0) {
      return InvalidArgumentError(StrCat(where, "an included file has no sections of its own"));
    }
    if (line.back() != ']') return InvalidArgumentError(StrCat(where, "the ] is missing"));
    const std::string_view name = Trim(line.substr(1, line.size() - 2));
    if (name.empty()) return InvalidArgumentError(StrCat(where, "a job needs a name: [NAME]"));
    Section section;
    section.kind = name == "global" ? SectionKind::kDefaults : SectionKind::kJob;
    section.name = name;
    section.where = where;
    sections_.push_back(section);
    in_section_ = true;
    if (section.kind == SectionKind::kJob) {
      sections_.back().options.push_back({*FindOption("name"), section.name, where});
    }
    return absl::OkStatus();
  }

  // A relative path is tried as it is: fio does not look beside the including file.
  Status Include(const std::string& path, const std::string& where, int depth) {
    if (!in_section_) {
      return InvalidArgumentError(StrCat(where, "include outside of a [section]"));
    }
    if (depth == kMostIncludes) {
      return InvalidArgumentError(StrCat(where, "includes go deeper than ", kMostIncludes));
    }
    if (!options_.read_file) return InvalidArgumentError(StrCat(where, "files cannot be read"));
    const absl::StatusOr<std::string> text = options_.read_file(path);
    if (!text.ok()) return InvalidArgumentError(StrCat(where, text.status().message()));
    included_ += text->size();
    if (included_ > kMostIncluded) {
      return InvalidArgumentError(StrCat(where, "more than 16 MiB are included"));
    }
    return Read(path, *text, depth + 1);
  }

  Status Keep(const Option& option, std::optional<std::string_view> value,
              const std::string& where) {
    if (option.scope == Scope::kCommand && option.name != "significant_figures") {
      return InvalidArgumentError(StrCat(where, std::string(option.name),
                                         " belongs on the command line: --",
                                         std::string(option.name)));
    }
    if (option.name == "name") {
      return InvalidArgumentError(StrCat(where, "a job is named by its [section]"));
    }
    if (!value && option.value_rule == ValueRule::kRequired) {
      return InvalidArgumentError(
          StrCat(where, std::string(option.name), " needs a value: ", std::string(option.form)));
    }
    TypedOption typed{&option, std::string(value.value_or(option.bare)), where};
    if (value) {
      ZONAL_ASSIGN_OR_RETURN(typed.value, ExpandEnvironment(*value, where));
    }
    sections_.back().options.push_back(std::move(typed));
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> ExpandEnvironment(std::string_view value,
                                                const std::string& where) const {
    std::string result;
    while (true) {
      const std::size_t start = value.find("${");
      result += value.substr(0, start);
      if (start == std::string_view::npos) return result;
      const std::size_t end = value.find('}', start);
      if (end == std::string_view::npos) {
        return InvalidArgumentError(StrCat(where, "the } of ${ is missing"));
      }
      const std::string name(value.substr(start + 2, end - start - 2));
      if (options_.environment) result += options_.environment(name);
      value.remove_prefix(end + 1);
    }
  }

  static constexpr std::size_t kMostIncluded = std::size_t{16} << 20;

  const FioParseOptions& options_;
  std::vector<Section>& sections_;
  bool in_section_ = false;
  std::size_t included_ = 0;
};

}  // namespace

Status ReadJobFile(const std::string& path, const std::string& text, const FioParseOptions& options,
                   std::vector<Section>& sections) {
  Section source;
  source.kind = SectionKind::kSource;
  source.name = path;
  sections.push_back(source);
  return JobFileReader(options, sections).Read(path, text, 0);
}

}  // namespace zonal::fio
