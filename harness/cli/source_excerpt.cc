#include "harness/cli/source_excerpt.h"

#include <fstream>

namespace heddle::cli {
namespace {

constexpr unsigned kShortFile = 600;  // lines
constexpr unsigned kNear = 25;
constexpr size_t kLongestLine = 400;

}  // namespace

std::vector<SourcePart> source_excerpt(const std::string& file, const std::vector<unsigned>& wanted) {
  std::ifstream in(file);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line.substr(0, kLongestLine));
  std::vector<bool> shown(all.size(), all.size() <= kShortFile);
  for (const unsigned line : wanted) {
    for (size_t i = line > kNear ? line - kNear - 1 : 0; i < all.size() && i < line + kNear; ++i) shown[i] = true;
  }
  std::vector<SourcePart> out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!shown[i]) continue;
    if (i == 0 || !shown[i - 1] || out.empty()) out.push_back({static_cast<unsigned>(i + 1), {}});
    out.back().lines.push_back(std::move(all[i]));
  }
  return out;
}

}  // namespace heddle::cli
