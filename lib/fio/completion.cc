// SPDX-License-Identifier: MIT
// Shell completion, from the option table.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "fio/documents.h"
#include "fio/option_table.h"

namespace zonal::fio {
namespace {

// "none|strided|zbd" -> "none strided zbd"; other forms have no list of words.
std::string WordsOf(const Option& option) {
  constexpr std::string_view kOfWords = "abcdefghijklmnopqrstuvwxyz0123456789_|";
  if (option.form.find('|') == std::string_view::npos ||
      option.form.find_first_not_of(kOfWords) != std::string_view::npos) {
    return "";
  }
  return absl::StrReplaceAll(absl::string_view(option.form.data(), option.form.size()),
                             {{"|", " "}});
}

std::string Join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    absl::StrAppend(&text, text.empty() ? "" : " ", std::string(word));
  }
  return text;
}

std::string OptionWords() {
  std::string text;
  for (const Option& option : Options()) {
    if (option.support != Support::kFull) continue;
    absl::StrAppend(&text, "    --", std::string(option.name),
                    option.value_rule == ValueRule::kRequired ? "=" : "", "\n");
  }
  return text;
}

// What may stand in a quoted description of zsh's _arguments.
std::string ZshText(std::string_view text) {
  return absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                             {{"'", "'\\''"}, {"[", "("}, {"]", ")"}, {":", "\\:"}});
}

}  // namespace

std::string BashCompletion(std::span<const std::string_view> subcommands) {
  std::string out = "# bash completion for zonal\n_zonal_run_values() {\n  case $1 in\n";
  for (const Option& option : Options()) {
    const std::string words = WordsOf(option);
    if (option.support != Support::kFull || words.empty()) continue;
    absl::StrAppend(&out, "    --", std::string(option.name), ") echo '", words, "' ;;\n");
  }
  absl::StrAppend(
      &out,
      "    --ioengine) echo 'io_uring libaio psync' ;;\n"
      "    --rw) echo 'read write trim rw randread randwrite randtrim randrw' ;;\n"
      "    --verify) echo 'md5 sha1 sha256 sha512 crc32 crc32c crc64 xxhash pattern' ;;\n"
      "    --output-format) echo 'normal terse json json+' ;;\n"
      "  esac\n}\n_zonal_run_options() {\n  echo '\n",
      OptionWords(), "'\n}\n",
      "_zonal() {\n"
      "  local line=${COMP_LINE:0:COMP_POINT} current words\n"
      "  current=${line##* }\n"
      "  COMPREPLY=()\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W '",
      Join(subcommands),
      "' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  if [[ ${COMP_WORDS[1]} != run ]]; then\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  if [[ $current == --*=* ]]; then\n"
      "    words=$(_zonal_run_values \"${current%%=*}\")\n"
      "    if [[ -n $words ]]; then\n"
      "      COMPREPLY=($(compgen -W \"$words\" -- \"${current#*=}\"))\n"
      "    else\n"
      "      COMPREPLY=($(compgen -f -- \"${current#*=}\"))\n"
      "    fi\n"
      "  elif [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$(_zonal_run_options)\" -- \"$current\"))\n"
      "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}\n"
      "complete -o default -F _zonal zonal\n");
  return out;
}

std::string ZshCompletion(std::span<const std::string_view> subcommands) {
  std::string out = absl::StrCat(
      "#compdef zonal\n"
      "_zonal_run() {\n"
      "  _arguments \\\n");
  for (const Option& option : Options()) {
    if (option.support != Support::kFull) continue;
    const std::string name(option.name);
    const std::string words = WordsOf(option);
    absl::StrAppend(&out, "    '*--", name, option.value_rule == ValueRule::kRequired ? "=" : "",
                    "[", ZshText(option.meaning), "]");
    if (option.value_rule == ValueRule::kRequired) {
      absl::StrAppend(&out, ":", ZshText(option.form), ":",
                      words.empty() ? "_files" : absl::StrCat("(", words, ")"));
    }
    out += "' \\\n";
  }
  absl::StrAppend(&out,
                  "    '*:job file:_files'\n"
                  "}\n"
                  "_zonal() {\n"
                  "  if (( CURRENT == 2 )); then\n"
                  "    compadd ",
                  Join(subcommands),
                  "\n"
                  "  elif [[ ${words[2]} == run ]]; then\n"
                  "    shift words; (( CURRENT-- )); _zonal_run\n"
                  "  else\n"
                  "    _files\n"
                  "  fi\n"
                  "}\n"
                  "_zonal \"$@\"\n");
  return out;
}

}  // namespace zonal::fio
