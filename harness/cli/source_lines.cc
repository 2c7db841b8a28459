#include "harness/cli/source_lines.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <utility>

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

bool split_location(const std::string& location, std::string& path, unsigned& line) {
  size_t end = location.size(), colon = location.rfind(':');
  if (colon == std::string::npos) return false;
  const size_t before = location.rfind(':', colon - 1);
  const std::string_view middle = before == std::string::npos ? std::string_view()
                                                              : std::string_view(location).substr(
                                                                    before + 1, colon - before - 1);
  if (!middle.empty() && middle.find_first_not_of("0123456789") == std::string_view::npos)
    end = std::exchange(colon, before);
  line = static_cast<unsigned>(
      std::strtoul(location.substr(colon + 1, end - colon - 1).c_str(), nullptr, 10));
  path = location.substr(0, colon);
  return line != 0;
}

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
