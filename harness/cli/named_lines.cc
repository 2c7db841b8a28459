#include "harness/cli/named_lines.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "harness/cli/source_lines.h"

namespace heddle::cli {

std::string named_lines_text(const std::vector<std::string>& locations) {
  std::map<std::string, std::set<unsigned>> lines;
  std::vector<std::string> paths;  // in the order of the text
  for (const std::string& location : locations) {
    std::string path;
    unsigned line = 0;
    if (!split_location(location, path, line)) continue;
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
    lines[path].insert(line);
  }
  SourceTexts texts;
  std::vector<std::pair<std::string, std::string>> rows;
  size_t widest = 0;
  for (const std::string& path : paths) {
    for (const unsigned line : lines[path]) {
      const std::string& text = texts.text(path, line);
      if (text.empty()) continue;
      rows.emplace_back(fmt::format("{}:{}", path.substr(path.rfind('/') + 1), line), text);
      widest = std::max(widest, rows.back().first.size());
    }
  }
  std::string out = rows.empty() ? "" : "\nThe lines that it names:\n";
  for (const auto& [place, text] : rows) out += fmt::format("  {:<{}}  {}\n", place, widest, text);
  return out;
}

}  // namespace heddle::cli
