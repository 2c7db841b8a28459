// Where a target writes what it has seen and what is no finding, one line each: data races, and atomic operations with weak orders. The processes of one
// campaign share a file.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace heddle {

// The name of the environment variable with the file's path. Each process appends its lines when it ends.
inline constexpr char kSeenFileVariable[] = "HEDDLE_SEEN_FILE";

// In front of words about weak orders, and what a user is told after them.
inline constexpr std::string_view kWeakOrdersMark = "weak orders: ";
inline constexpr char kWeakOrdersAdvice[] = "All executions were sequentially consistent. To try what such orders allow: HEDDLE_OPTIONS=memory=rc11";

// Several processes write the same race. REQUIRES: each line of the text ends with a newline.
inline std::set<std::string> races_in(std::string_view text) {
  std::set<std::string> lines;
  for (size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    if (const std::string_view line = text.substr(at, end - at); !line.starts_with(kWeakOrdersMark)) lines.emplace(line);
  }
  return lines;
}

// Those of one process: others have seen much the same. Empty: there were none.
inline std::string_view weak_orders_in(std::string_view text) {
  const size_t mark = text.find(kWeakOrdersMark);
  if (mark == text.npos) return {};
  const size_t begin = mark + kWeakOrdersMark.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace heddle
