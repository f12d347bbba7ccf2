// SPDX-License-Identifier: MIT
// A line as a shell splits it, to take what --showcmd prints.
#pragma once

#include <string>
#include <vector>

namespace zonal {

// Blanks, single quotes, backslashes.
inline std::vector<std::string> ShellWords(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\'') {
      quoted = !quoted;
      any = true;
    } else if (!quoted && line[i] == '\\') {
      word += line[++i];
    } else if (!quoted && line[i] == ' ') {
      if (any) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += line[i];
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

}  // namespace zonal
