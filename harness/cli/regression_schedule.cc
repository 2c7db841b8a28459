// The schedule of a regression test: positions of one build to places of the source, and back.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "harness/cli/files.h"
#include "harness/cli/regression.h"
#include "schema/text_words.h"

namespace heddle::cli {
namespace {

// Stands for a position that this build does not have. No position has this number.
constexpr SiteId kAbsent = 1;
// From here: stand for the operations of one caller. No position has such numbers, either.
constexpr SiteId kFirstCalled = 2;

template <typename Function>
void for_each_element(Schedule& schedule, const Function& function) {
  for (Element& e : schedule.elements) function(e);
  for (ReadsFrom& c : schedule.reads_from) function(c.read), function(c.write);
  for (Delay& d : schedule.delays) function(d.what), function(d.until);
}

// function(thread, site, kind, which one), for what names one thread's n-th operation.
template <typename Function>
void for_each_exact(Schedule& schedule, const Function& function) {
  const auto at = [&](ThreadId thread, SiteId& site, Kind kind, uint32_t& number) {
    if (thread != kAnyThread && number != 0) function(thread, site, kind, number);
  };
  for_each_element(schedule, [&](Element& e) { at(e.thread, e.site, e.kind, e.occurrence); });
  for (SelectPreference& p : schedule.selects) at(p.thread, p.site, p.kind, p.instance);
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

struct Called {
  SiteId site;
  Kind kind;
  SourceLine caller;
  bool operator==(const Called&) const = default;
};

// The operations of wrappers are then at numbers of their own, and counted for each caller.
std::vector<Called> separate_callers(Schedule& schedule, const OperationCallers& callers) {
  std::vector<Called> out;
  for_each_exact(schedule, [&](ThreadId thread, SiteId& site, Kind kind, uint32_t& number) {
    const OperationCallers::Called known = callers.find(thread, site, kind, number);
    if (known.caller == nullptr) return;
    const Called called = {site, kind, *known.caller};
    const auto at = std::find(out.begin(), out.end(), called);
    site = kFirstCalled + static_cast<SiteId>(at - out.begin());
    number = known.occurrence;
    if (at == out.end()) out.push_back(called);
  });
  return out;
}

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

void Regression::set_schedule(const Schedule& in, const ReachedPlaces& reached,
                              const OperationCallers& callers) {
  Schedule s = in;
  s.surw_site = kNoSite;
  // An access of a library has no line. If nothing is demanded of it, it need not be an operation.
  Schedule demands = s;
  demands.visible_plain.clear();
  const std::map<SiteId, Kind> demanded = kinds_of_sites(demands);
  std::erase_if(s.visible_plain, [&](SiteId site) {
    SourcePlace place;
    return !reached.place_of(site, Kind::plain_write, place) || (place.line == 0 && demanded.count(site) == 0);
  });
  const std::vector<Called> called = separate_callers(s, callers);
  schedule = to_text(s);
  std::map<SiteId, std::string> names;
  places.clear();
  for (const auto& [number, kind] : kinds_of_sites(s)) {
    const Called* const by =
        number - kFirstCalled < called.size() ? &called[number - kFirstCalled] : nullptr;
    const SiteId site = by != nullptr ? by->site : number;
    SourcePlace place;
    const bool plain =
        by == nullptr && kind == Kind::plain_write && reached.does(site, Kind::plain_read);
    if (!reached.place_of(site, plain ? Kind::plain_read : kind, place)) {
      throw Failure(kUsage, fmt::format("the position {} of the schedule has no source line: build "
                                        "the target with -g, and have llvm-symbolizer in PATH",
                                        text::site_text(site)));
    }
    // Its number would count the callers of an inlined function.
    if (by != nullptr) place.caller = by->caller, place.number = 1;
    const auto same = std::find(places.begin(), places.end(), place);
    names[number] = place_name(static_cast<size_t>(same - places.begin()));
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

BoundSchedule bind(const std::string& file, const Regression& regression,
                   const ReachedPlaces& reached, const OperationCallers& callers) {
  BoundSchedule out;
  std::vector<SiteId> own, numbers;
  for (size_t i = 0; i < regression.places.size(); ++i) {
    const SourcePlace& place = regression.places[i];
    bool exact = false;
    own.push_back(reached.find(place, exact));
    const auto is_called = [&](SiteId site) { return callers.caller(site, reached.kind_at(site, place.kind), *place.caller) != nullptr; };
    if (place.caller) {  // of several positions in the line, one that comes from this caller
      const std::vector<SiteId> all = reached.find_all(place);
      const auto does_it = [&](SiteId site) { return reached.does(site, place.kind) && is_called(site); };
      auto called = std::find_if(all.begin(), all.end(), does_it);
      if (called == all.end()) called = std::find_if(all.begin(), all.end(), is_called);
      if (called != all.end()) own[i] = *called;
    }
    const bool there = own[i] != kNoSite && (!place.caller || is_called(own[i]));
    out.found += there;
    out.exact += there && exact;
    numbers.push_back(!there ? kNoSite : place.caller ? kFirstCalled + i : own[i]);
  }
  std::string text;
  std::istringstream lines(regression.schedule);
  for (std::string line; std::getline(lines, line);)
    text += (is_payload(line) ? line : with_sites(file, line, numbers)) + "\n";
  std::string error;
  if (!from_text(text, out.schedule, error))
    throw Failure(kUsage, fmt::format("{}: in the schedule, {}", file, error));
  leave_out_absent(out.schedule);
  const auto is_called = [&](SiteId site) { return site - kFirstCalled < own.size(); };
  const auto own_site = [&](SiteId site) { return is_called(site) ? own[site - kFirstCalled] : site; };
  for_each_element(out.schedule,
                   [&](Element& e) { e.kind = reached.kind_at(own_site(e.site), e.kind); });
  for (SelectPreference& p : out.schedule.selects) p.kind = reached.kind_at(own_site(p.site), p.kind);
  for_each_exact(out.schedule, [&](ThreadId thread, SiteId& site, Kind kind, uint32_t& number) {
    if (!is_called(site)) return;
    const size_t i = site - kFirstCalled;
    const OperationCallers::Operation there =
        callers.find(thread, own[i], kind, *regression.places[i].caller, number);
    site = there.site != kNoSite ? there.site : kAbsent;
    number = there.occurrence;
  });
  leave_out_absent(out.schedule);
  return out;
}

}  // namespace heddle::cli
