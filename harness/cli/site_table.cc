#include "harness/cli/site_table.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "harness/cli/files.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {
namespace {

// Of a target that does not say it.
std::string function_of(const std::string& symbol) { return readable_function(symbol.substr(0, symbol.rfind('+'))); }

std::string ids_of(const std::vector<SiteId>& wanted) {
  std::string ids;
  for (const SiteId id : wanted) ids += fmt::format("{:016x}\n", id);
  return ids;
}

// What the target writes about its positions. Empty: nothing.
std::string site_table(const std::string& binary, const std::string& wanted, const std::string& input) {
  const ScratchDirectory scratch;
  const std::string empty = scratch.file("input");
  const auto nothing = stand_in_for_empty();
  write_file(empty, nothing.data(), nothing.size());
  const SiteTableRequest request(wanted);
  run_target({.binary = binary, .arguments = {input.empty() ? empty : input}, .heddle_options = request.options()});
  return request.answer();
}

}  // namespace

std::string readable_function(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // a function of C: "f" would be a type
  int status = 0;
  char* plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string out = status == 0 && plain != nullptr ? plain : name;
  std::free(plain);
  return out.substr(0, out.find('('));
}

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
    std::string function;
    if (const size_t in = location.find(" in "); in != std::string::npos) {
      function = location.substr(in + 4);
      location.erase(in);
    }
    if (location.starts_with("??")) location.clear();
    // The program and heddle can have functions of one name, such as `send`: only the program's has lines.
    const SiteName* const known = names.find(id);
    if (location.empty() && known != nullptr && !known->location.empty()) continue;
    names.add(id, {location, function.empty() ? function_of(symbol) : readable_function(function), symbol});
  }
  return names;
}

SiteTableRequest::SiteTableRequest(const std::vector<SiteId>& wanted) : SiteTableRequest(ids_of(wanted)) {}

SiteTableRequest::SiteTableRequest(const std::string& wanted) {
  if (!wanted.empty()) write_file(list_, wanted.data(), wanted.size());
}

std::string SiteTableRequest::options() const {
  return fmt::format("sites_path='{}'", table_) + (std::filesystem::exists(list_) ? fmt::format(":sites_wanted='{}'", list_) : "");
}

std::string SiteTableRequest::answer() const {
  if (!std::filesystem::exists(table_)) return {};
  const auto bytes = read_file(table_);
  return {bytes.begin(), bytes.end()};
}

SiteNames sites_of(const std::string& binary, const std::vector<SiteId>& wanted, const std::string& input) {
  return parse_site_table(site_table(binary, ids_of(wanted), input));
}

PlainAccesses plain_accesses_of(const std::string& binary) {
  const std::string table = site_table(binary, "plain", "");
  PlainAccesses out = {parse_site_table(table), {}};
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string access;
    SiteId site = kNoSite;
    if (!(words >> access >> std::hex >> site)) continue;
    if (access == "read") out.sites.emplace_back(site, Kind::plain_read);
    if (access == "write") out.sites.emplace_back(site, Kind::plain_write);
  }
  return out;
}

std::vector<SiteId> sites_in(const Schedule& schedule) {
  std::vector<SiteId> out = schedule.visible_plain;
  const auto add = [&](const Element& e) { out.push_back(e.site); };
  for (const Element& e : schedule.elements) add(e);
  for (const ReadsFrom& c : schedule.reads_from) add(c.read), add(c.write);
  for (const SelectPreference& s : schedule.selects) out.push_back(s.site);
  for (const Delay& d : schedule.delays) add(d.what), add(d.until);
  for (const GraphNode& n : schedule.graph) out.push_back(n.site);
  out.push_back(schedule.surw_site);
  std::erase(out, kNoSite);
  return out;
}

std::vector<SiteId> sites_in(const StoredTrace& trace) {
  std::set<SiteId> out;
  for (const Event& e : trace.events) out.insert(e.site);
  out.erase(kNoSite);
  return {out.begin(), out.end()};
}

}  // namespace heddle::cli
