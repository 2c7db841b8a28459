#include "harness/cli/site_table.h"

#include <cxxabi.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "harness/cli/files.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {
namespace {

std::string function_of(const std::string& symbol) {
  const std::string mangled = symbol.substr(0, symbol.rfind('+'));
  int status = 0;
  char* plain = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  const std::string name = status == 0 && plain != nullptr ? plain : mangled;
  std::free(plain);
  return name.substr(0, name.find('('));
}

}  // namespace

SiteNames parse_site_table(const std::string& text) {
  SiteNames names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string site, symbol, location;
    if (!(words >> site >> symbol)) continue;
    std::getline(words >> std::ws, location);
    char* end = nullptr;
    const SiteId id = std::strtoull(site.c_str(), &end, 16);
    if (end == site.c_str() || *end != 0 || id == kNoSite) continue;
    if (location.starts_with("??")) location.clear();
    names.add(id, {location, function_of(symbol), symbol});
  }
  return names;
}

SiteNames sites_of(const std::string& binary, const std::string& input) {
  const ScratchDirectory scratch;
  const std::string table = scratch.file("sites");
  run_target({.binary = binary, .arguments = {input}, .heddle_options = "sites_path='" + table + "'"});
  if (!std::filesystem::exists(table)) return {};
  const auto bytes = read_file(table);
  return parse_site_table(std::string(bytes.begin(), bytes.end()));
}

}  // namespace heddle::cli
