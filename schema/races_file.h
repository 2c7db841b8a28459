// Where a target writes the data races that it has seen and that are no findings, one line each: the processes of one campaign share a file.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace heddle {

// The name of the environment variable with the file's path. Each process appends its lines when it ends.
inline constexpr char kRacesFileVariable[] = "HEDDLE_RACES_FILE";

// Several processes write the same race. REQUIRES: each line of the text ends with a newline.
inline std::set<std::string> races_in(std::string_view text) {
  std::set<std::string> lines;
  for (size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) lines.emplace(text.substr(at, end - at));
  return lines;
}

}  // namespace heddle
