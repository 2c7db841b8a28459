#include "harness/cli/regression.h"

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "harness/cli/files.h"
#include "schema/options_text.h"
#include "schema/text_words.h"

namespace heddle::cli {
namespace {

constexpr std::string_view kHeader = "heddle regression ";
constexpr std::string_view kSchedule = "heddle schedule ";
constexpr unsigned kVersion = 1;

std::string place_name(size_t index) { return fmt::format("P{}", index + 1); }

template <typename Function>
void for_each_element(Schedule& schedule, const Function& function) {
  for (Element& e : schedule.elements) function(e);
  for (ReadsFrom& c : schedule.reads_from) function(c.read), function(c.write);
  for (Delay& d : schedule.delays) function(d.what), function(d.until);
}

// What an operation of the schedule at each of its positions is.
std::map<SiteId, Kind> kinds_of_sites(Schedule& schedule) {
  std::map<SiteId, Kind> out;
  const auto add = [&](SiteId site, Kind kind) {
    if (site != kNoSite) out.emplace(site, kind);
  };
  for_each_element(schedule, [&](const Element& e) { add(e.site, e.kind); });
  for (const SelectPreference& p : schedule.selects) add(p.site, p.kind);
  for (const GraphNode& n : schedule.graph) add(n.site, n.kind);
  for (const SiteId site : schedule.visible_plain) add(site, Kind::plain_write);
  return out;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

bool is_payload(std::string_view line) { return line.starts_with("payload"); }

void parse_place(const std::string& file, size_t number, const std::string& line, Regression& out) {
  static const std::regex kForm(R"(place (P\d+) (\w+) (.+):(\d+) #(\d+) in (.*?) \| ?(.*))");
  std::smatch part;
  if (!std::regex_match(line, part, kForm)) {
    throw Failure(
        kUsage,
        fmt::format(
            "{}: line {}: a place has the form 'place P1 KIND FILE:LINE #N in FUNCTION | TEXT'",
            file, number));
  }
  bool known = false;
  const Kind kind = kind_by_name(part[2].str(), &known);
  if (!known)
    throw Failure(kUsage, fmt::format("{}: line {}: '{}' is no kind of operation", file, number,
                                      part[2].str()));
  if (part[1] != place_name(out.places.size())) {
    throw Failure(
        kUsage, fmt::format("{}: line {}: expected {}, because places are numbered in their order",
                            file, number, place_name(out.places.size())));
  }
  const auto to_number = [](const std::string& text) {
    return static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10));
  };
  out.places.push_back({.kind = kind,
                        .file = part[3],
                        .line = std::max(1u, to_number(part[4])),
                        .number = std::max(1u, to_number(part[5])),
                        .function = part[6],
                        .text = part[7]});
}

// Stands for a position that this build does not have. No position has this number.
constexpr SiteId kAbsent = 1;

// The line with numbers of this build for places.
std::string with_sites(const std::string& file, const std::string& line,
                       const std::vector<SiteId>& sites) {
  static const std::regex kPlace(R"(@P(\d+)\b)");
  std::string out;
  auto rest = line.cbegin();
  for (std::smatch found; std::regex_search(rest, line.cend(), found, kPlace);
       rest = found[0].second) {
    const size_t index = std::strtoul(found[1].str().c_str(), nullptr, 10);
    if (index == 0 || index > sites.size())
      throw Failure(kUsage, fmt::format("{}: the schedule names P{}, and there is no such place",
                                        file, index));
    out += std::string(rest, found[0].first) +
           text::site_text(sites[index - 1] != kNoSite ? sites[index - 1] : kAbsent);
  }
  return out + std::string(rest, line.cend());
}

void leave_out_absent(Schedule& s) {
  std::erase_if(s.elements, [](const Element& e) { return e.site == kAbsent; });
  std::erase_if(s.reads_from, [](const ReadsFrom& c) {
    return c.read.site == kAbsent || c.write.site == kAbsent;
  });
  std::erase_if(s.delays,
                [](const Delay& d) { return d.what.site == kAbsent || d.until.site == kAbsent; });
  std::erase_if(s.selects, [](const SelectPreference& p) { return p.site == kAbsent; });
  std::erase_if(s.graph, [](const GraphNode& n) { return n.site == kAbsent; });
  std::erase(s.visible_plain, kAbsent);
}

}  // namespace

std::string Regression::options_of_run(std::string_view options) {
  constexpr std::string_view kChangeRun[] = {
      "args",           "stdin",           "restore",       "program",     "report_leaks",
      "report_races",   "report_livelock", "report_misuse", "report_exit", "report_abort",
      "report_endless", "spurious",        "timeouts",      "memory"};
  std::string out;
  for (const std::string_view key : kChangeRun) {
    const std::string_view value = option_value(options, key);
    if (value.empty()) continue;
    const bool plain = value.find_first_of(":, \t'\"") == value.npos;
    const char* const quote = plain ? "" : value.find('\'') == value.npos ? "'" : "\"";
    out += fmt::format("{}{}={}{}{}", out.empty() ? "" : ":", key, quote, value, quote);
  }
  return out;
}

void Regression::set_schedule(const Schedule& in, const ReachedPlaces& reached) {
  Schedule s = in;
  s.surw_site = kNoSite;
  schedule = to_text(s);
  std::map<SiteId, std::string> names;
  places.clear();
  for (const auto& [site, kind] : kinds_of_sites(s)) {
    SourcePlace place;
    const bool plain =
        kind == Kind::plain_write && reached.kind_at(site, Kind::plain_read) == Kind::plain_read;
    if (!reached.place_of(site, plain ? Kind::plain_read : kind, place)) {
      throw Failure(kUsage, fmt::format("the position {} of the schedule has no source line: build "
                                        "the target with -g, and have llvm-symbolizer in PATH",
                                        text::site_text(site)));
    }
    const auto same = std::find(places.begin(), places.end(), place);
    names[site] = place_name(static_cast<size_t>(same - places.begin()));
    if (same == places.end()) places.push_back(place);
  }
  std::string out;
  for (size_t at = 0, end; at < schedule.size(); at = end + 1) {
    end = std::min(schedule.find('\n', at), schedule.size());
    std::string line = schedule.substr(at, end - at);
    if (!is_payload(line)) {
      for (const auto& [site, name] : names) replace_all(line, text::site_text(site), "@" + name);
    }
    out += line + "\n";
  }
  schedule = out;
}

bool is_regression(const std::vector<uint8_t>& bytes) {
  return bytes.size() >= kHeader.size() &&
         std::equal(kHeader.begin(), kHeader.end(), bytes.begin());
}

std::string regression_to_text(const Regression& r) {
  std::string out = fmt::format("{}{}\n// {}\n", kHeader, kVersion, r.about);
  if (r.signature != 0) out += fmt::format("signature {:016x}\n", r.signature);
  if (!r.options.empty()) out += fmt::format("options {}\n", r.options);
  for (size_t i = 0; i < r.places.size(); ++i) {
    const SourcePlace& p = r.places[i];
    out += fmt::format("place {} {} {}:{} #{} in {} | {}\n", place_name(i), kind_info(p.kind).name,
                       p.file, p.line, p.number, p.function, p.text);
  }
  return out + r.schedule;
}

Regression regression_from_text(const std::string& file, const std::string& text) {
  Regression out;
  size_t number = 0;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    ++number;
    if (number == 1) {
      if (line != fmt::format("{}{}", kHeader, kVersion)) {
        throw Failure(
            kUsage,
            fmt::format(
                "{}: '{}' is not a regression test that this heddle reads (it reads version {})",
                file, text::printable(line, 60), kVersion));
      }
    } else if (line.starts_with("//")) {
      if (out.about.empty())
        out.about = line.substr(std::min(line.size(), line.find_first_not_of("/ ")));
    } else if (line.starts_with("signature ")) {
      out.signature = std::strtoull(line.c_str() + 10, nullptr, 16);
    } else if (line.starts_with("options ")) {
      out.options = line.substr(8);
    } else if (line.starts_with("place ")) {
      parse_place(file, number, line, out);
    } else if (line.starts_with(kSchedule)) {
      out.schedule = text.substr(at);
      return out;
    } else if (!line.empty()) {
      throw Failure(kUsage, fmt::format("{}: line {}: '{}' is not a line of a regression test",
                                        file, number, text::printable(line, 60)));
    }
  }
  throw Failure(
      kUsage,
      fmt::format("{}: the schedule is missing: a line 'heddle schedule 1', then its constraints",
                  file));
}

BoundSchedule bind(const std::string& file, const Regression& regression,
                   const ReachedPlaces& reached) {
  BoundSchedule out;
  std::vector<SiteId> sites;
  for (const SourcePlace& place : regression.places) {
    sites.push_back(reached.find(place));
    out.found += sites.back() != kNoSite;
  }
  std::string text;
  std::istringstream lines(regression.schedule);
  for (std::string line; std::getline(lines, line);)
    text += (is_payload(line) ? line : with_sites(file, line, sites)) + "\n";
  std::string error;
  if (!from_text(text, out.schedule, error))
    throw Failure(kUsage, fmt::format("{}: in the schedule, {}", file, error));
  leave_out_absent(out.schedule);
  for_each_element(out.schedule, [&](Element& e) { e.kind = reached.kind_at(e.site, e.kind); });
  for (SelectPreference& p : out.schedule.selects) p.kind = reached.kind_at(p.site, p.kind);
  return out;
}

}  // namespace heddle::cli
