#include "harness/cli/source_lines.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "harness/cli/files.h"

namespace heddle::cli {
namespace {

std::string shortened(std::string_view line) {
  constexpr size_t kLongest = 160;
  std::string out = trimmed(line).substr(0, kLongest);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

}  // namespace

const std::string& SourceTexts::text(const std::string& path, unsigned line) {
  static const std::string nothing;
  auto [at, fresh] = files_.try_emplace(path);
  if (fresh) {
    std::ifstream file(path);
    for (std::string text; std::getline(file, text);) at->second.push_back(shortened(text));
  }
  return line != 0 && line <= at->second.size() ? at->second[line - 1] : nothing;
}

}  // namespace heddle::cli
