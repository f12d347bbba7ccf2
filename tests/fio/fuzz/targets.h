// SPDX-License-Identifier: MIT
// What is fuzzed: bytes go in, and a parser answers or refuses. Each aborts where
// an answer breaks what it promises. The same functions serve libFuzzer
// (fuzz_*.cc) and the test that replays the corpus.
#pragma once

#include <string_view>

namespace zonal::fio::fuzz {

// A job file; a second one, which may be included as "i", after a line "%%".
void JobFile(std::string_view bytes);
// Words of a command line, one a line.
void CommandLine(std::string_view bytes);
// The first byte picks one of the parsers of values.
void Values(std::string_view bytes);

struct Target {
  std::string_view name;  // the folder of its corpus
  void (*run)(std::string_view bytes);
};
inline constexpr Target kTargets[] = {
    {"job_file", JobFile}, {"command_line", CommandLine}, {"values", Values}};

}  // namespace zonal::fio::fuzz
