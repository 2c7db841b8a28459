#include "harness/cli/operation_places.h"

#include <fmt/format.h>

#include <set>

namespace heddle::cli {
namespace {

// Empty: not known.
std::string location_of(const RunPlace& place) {
  return place.file.empty() || place.line == 0 ? std::string() : fmt::format("{}:{}", place.file, place.line);
}

using Here = std::tuple<ThreadId, std::string, Kind>;

}  // namespace

OperationPlaces::OperationPlaces(const StoredTrace& run, const RunModel& model) {
  std::map<Here, std::set<std::string>> callers;
  std::map<std::tuple<Here, std::string>, uint32_t> counts;
  const auto for_each = [&](const auto& function) {
    for (const RunRow& row : model.rows) {
      if (row.what != RunRow::operation || row.event >= run.events.size()) continue;
      const Event& e = run.events[row.event];
      const std::string location = location_of(model.places[row.place]);
      if (!location.empty()) function(row, e, Here{run.threads[e.thread].id, location, e.kind}, location_of(model.places[row.caller]));
    }
  };
  for_each([&](const RunRow&, const Event&, const Here& here, const std::string& caller) { callers[here].insert(caller); });
  for_each([&](const RunRow& row, const Event& e, const Here& here, const std::string& caller) {
    const auto& [thread, location, kind] = here;
    Place found = {location, model.places[row.place].function, "", 0};
    const auto [common, first] = common_.try_emplace({e.site, e.kind}, found);
    if (!first && common->second != found) common->second.reset();
    if (callers[here].size() > 1) found.caller = caller;
    found.occurrence = ++counts[{here, found.caller}];
    places_.try_emplace({thread, e.site, e.kind, e.occurrence}, std::move(found));
  });
}

const OperationPlaces::Place* OperationPlaces::find(ThreadId thread, SiteId site, Kind kind, uint32_t occurrence) const {
  const auto at = places_.find({thread, site, kind, occurrence});
  return at == places_.end() ? nullptr : &at->second;
}

std::optional<OperationPlaces::Place> OperationPlaces::find(SiteId site, Kind kind) const {
  const auto at = common_.find({site, kind});
  return at == common_.end() ? std::nullopt : at->second;
}

}  // namespace heddle::cli
