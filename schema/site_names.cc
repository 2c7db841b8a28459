#include <string>
#include <string_view>
#include <vector>

#include "schema/text.h"
#include "schema/text_words.h"

namespace heddle {
namespace {

bool all_digits(std::string_view s) {
  return !s.empty() && s.find_first_not_of("0123456789") == std::string_view::npos;
}

// True if `suffix` is `path`, or the end of it after a directory boundary.
bool ends_path(std::string_view path, std::string_view suffix) {
  if (suffix.empty() || !path.ends_with(suffix)) return false;
  return path.size() == suffix.size() || path[path.size() - suffix.size() - 1] == '/';
}

// "queue.cc:41:7" -> "queue.cc:41". A location without a column is unchanged.
std::string_view without_column(std::string_view location) {
  const size_t last = location.rfind(':');
  if (last == std::string_view::npos || !all_digits(location.substr(last + 1))) return location;
  const size_t line = location.substr(0, last).rfind(':');
  if (line == std::string_view::npos || !all_digits(location.substr(line + 1, last - line - 1))) {
    return location;
  }
  return location.substr(0, last);
}

std::string_view file_of(std::string_view location) {
  location = without_column(location);
  return location.substr(0, location.rfind(':'));
}

}  // namespace

const SiteName* SiteNames::find(SiteId site) const {
  const auto it = names_.find(site);
  return it == names_.end() ? nullptr : &it->second;
}

std::string SiteNames::comment(SiteId site) const {
  const SiteName* name = find(site);
  if (name == nullptr) return {};
  std::string out = text::printable(name->location.empty() ? name->symbol : name->location);
  if (!name->function.empty()) out += " in " + text::printable(name->function);
  return out;
}

std::vector<SiteId> SiteNames::lookup(std::string_view wanted) const {
  std::vector<SiteId> symbols, locations, functions;
  if (wanted.empty()) return {};
  for (const auto& [site, name] : names_) {
    if (name.symbol == wanted) symbols.push_back(site);
    if (ends_path(name.location, wanted) || ends_path(without_column(name.location), wanted)) {
      locations.push_back(site);
    }
    if (name.function == wanted) functions.push_back(site);
  }
  return !symbols.empty() ? symbols : !locations.empty() ? locations : functions;
}

std::vector<SiteId> SiteNames::near(std::string_view wanted) const {
  std::vector<SiteId> out;
  const std::string_view file = file_of(wanted);
  for (const auto& [site, name] : names_) {
    if (ends_path(file_of(name.location), file)) out.push_back(site);
  }
  return out;
}

}  // namespace heddle
