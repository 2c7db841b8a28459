#include "harness/cli/operation_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "schema/text_words.h"

namespace heddle::cli {
namespace {

// Of a line with several positions of one kind, such as "a + b", each is named with its column; and its variable
// is, if that has a name.
class Locations {
 public:
  explicit Locations(const RunModel& model) : model_(model) {
    for (const RunRow& row : model.rows) {
      const RunPlace& place = model.places[row.place];
      if (row.what != RunRow::operation) continue;
      if (place.column != 0) columns_[line_of(row)].insert(place.column);
      const bool of_file = row.kind == Kind::descriptor_read || row.kind == Kind::descriptor_write;
      if (of_file || is_variable(row)) variables_[line_of(row)].insert(model.objects[row.object].name);
    }
  }
  // Empty: the line has only one.
  std::string variable(const RunRow& row) const {
    const auto at = variables_.find(line_of(row));
    return is_variable(row) && at->second.size() > 1 ? model_.objects[row.object].name : std::string();
  }
  std::string of(const RunRow& row) const {
    const RunPlace& place = model_.places[row.place];
    const std::string line = line_of(place);
    const auto at = columns_.find(line_of(row));
    const bool several = at != columns_.end() && at->second.size() > 1 && place.column != 0;
    return several ? fmt::format("{}:{}", line, place.column) : line;
  }
  std::string of_caller(const RunRow& row) const { return line_of(model_.places[row.caller]); }

 private:
  // Empty: not known.
  static std::string line_of(const RunPlace& place) {
    return place.file.empty() || place.line == 0 ? std::string() : fmt::format("{}:{}", place.file, place.line);
  }

  using Line = std::pair<std::string, Kind>;
  // With the kinds that have the same word: read() is a read, too.
  Line line_of(const RunRow& row) const {
    const Kind kind = row.kind == Kind::descriptor_read    ? Kind::plain_read
                      : row.kind == Kind::descriptor_write ? Kind::plain_write
                                                           : row.kind;
    return {line_of(model_.places[row.place]), kind};
  }

  // Others have names that heddle gives them.
  bool is_variable(const RunRow& row) const {
    const std::string& origin = model_.objects[row.object].origin;
    return origin.find("global variable") != std::string::npos || origin.find("thread-local") != std::string::npos;
  }

  const RunModel& model_;
  std::map<Line, std::set<unsigned>> columns_;
  std::map<Line, std::set<std::string>> variables_;
};

// "receive C2" of "select: receive C2: closed" or "select: receive C2 (possible, too: send C1)", "main.1" of a notification that woke this thread.
std::string chosen_by(const StoredTrace& run, const RunRow& row) {
  constexpr std::string_view kSelect = "select: ";
  if (row.kind == Kind::select && row.finished && row.words.starts_with(kSelect)) {
    const size_t end = std::min(row.words.find(": ", kSelect.size()), row.words.find(" (", kSelect.size()));
    return row.words.substr(kSelect.size(), end - kSelect.size());
  }
  if (row.kind != Kind::cond_signal) return {};
  for (const Event& e : run.events) {
    if (e.kind == Kind::cond_wake && e.finished() && e.partner == row.event) return thread_name(run.threads[e.thread].id);
  }
  return {};
}

// "C2: channel without a buffer, made at a.cc:7" for "receive C2". Empty: the chosen is no object, or has only a name.
std::string object_in(const std::string& chosen, const RunModel& model) {
  for (const RunObject& object : model.objects) {
    if (!object.origin.empty() && (chosen == "receive " + object.name || chosen == "send " + object.name)) return object.name + ": " + object.origin;
  }
  return {};
}

// The noun, where the row says more than the kind: "mkdir of "a"" for `mkdir "a": File exists`. Empty: the kind's own.
std::string noun_of(const RunRow& row) {
  if (row.words.starts_with("size of ")) return "call of size()";
  if (row.kind == Kind::plain_write && (row.words == "free" || row.words.starts_with("free "))) return "free";
  if (row.kind != Kind::file_read && row.kind != Kind::file_write) return {};
  const size_t verb = row.words.find(' ');
  if (verb == std::string::npos) return {};
  const size_t named = row.words.rfind('"');
  const std::string before = row.words.compare(verb, 7, " stream") == 0 ? " on the" : " of";
  return row.words.substr(0, verb) + before + row.words.substr(verb, (named == std::string::npos ? row.words.find(':') : named + 1) - verb);
}

// Which order lets a read miss a store matters only where one does.
bool has_stale_reads(const StoredTrace& run) {
  return std::any_of(run.events.begin(), run.events.end(), [](const Event& e) { return kind_info(e.kind).has(kAtomic) && (e.flags & kEventStale) != 0; });
}

// Empty: the usual one, or it is no atomic operation.
std::string order_of(const Event& e) {
  if (!kind_info(e.kind).has(kAtomic) || e.order == MemoryOrder::seq_cst || e.order == MemoryOrder::plain) return {};
  return std::string(text::order_name(e.order));
}

}  // namespace

OperationPlaces::OperationPlaces(const StoredTrace& run, const RunModel& model) {
  const Locations locations(model);
  std::map<std::tuple<ThreadId, Here, std::string, std::string, std::string>, uint32_t> counts;
  const auto for_each = [&](const auto& function) {
    for (const RunRow& row : model.rows) {
      if (row.what != RunRow::operation || row.event >= run.events.size()) continue;
      const Event& e = run.events[row.event];
      const std::string location = locations.of(row);
      if (!location.empty()) function(row, e, Here{location, e.kind}, locations.of_caller(row));
    }
  };
  for_each([&](const RunRow&, const Event&, const Here& here, const std::string& caller) {
    callers_[here].insert(caller);
  });
  const bool weak = has_stale_reads(run);
  std::vector<uint32_t> sleeps(run.events.size());  // of the event's thread so far
  std::map<uint32_t, uint32_t> slept;
  for (size_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    sleeps[i] = slept[e.thread];
    slept[e.thread] += e.kind == Kind::sleep && e.finished();
  }
  for_each([&](const RunRow& row, const Event& e, const Here& here, const std::string& caller) {
    const ThreadId thread = run.threads[e.thread].id;
    const std::string& function = model.places[row.place].function;
    Place found = {std::get<0>(here), function, "", 0, noun_of(row), e.choice, chosen_by(run, row)};
    of_site_[{e.site, e.kind}][thread].insert({here, function, caller, found.word});
    found.chosen_object = object_in(found.chosen, model);
    found.variable = locations.variable(row);
    if (weak) found.order = order_of(e);
    found.sleeps = sleeps[row.event];
    if (callers_[here].size() > 1) found.caller = caller;
    found.occurrence = ++counts[{thread, here, found.caller, found.variable, found.word}];
    places_.try_emplace({thread, e.site, e.kind, e.occurrence}, std::move(found));
  });
}

const OperationPlaces::Place* OperationPlaces::find(ThreadId thread, SiteId site, Kind kind, uint32_t occurrence) const {
  const auto at = places_.find({thread, site, kind, occurrence});
  return at == places_.end() ? nullptr : &at->second;
}

const OperationPlaces::Place* OperationPlaces::find_any(ThreadId thread, SiteId site, Kind kind) const {
  const Place* found = nullptr;
  for (auto at = places_.lower_bound({thread, site, kind, 0}); at != places_.end(); ++at) {
    const auto& [its_thread, its_site, its_kind, occurrence] = at->first;
    if (its_thread != thread || its_site != site || its_kind != kind) break;
    const Place& place = at->second;
    if (found != nullptr && (found->location != place.location || found->caller != place.caller || found->word != place.word)) return nullptr;
    found = &place;
  }
  return found;
}

uint32_t OperationPlaces::count(ThreadId thread, const std::string& location, Kind kind) const {
  uint32_t n = 0;
  for (const auto& [operation, place] : places_) {
    const auto& [its_thread, site, its_kind, occurrence] = operation;
    const bool same_line = place.location == location || place.location.starts_with(location + ":");
    n += its_thread == thread && its_kind == kind && same_line;
  }
  return n;
}

std::optional<OperationPlaces::Common> OperationPlaces::find(SiteId site, Kind kind,
                                                             ThreadId besides) const {
  const auto threads = of_site_.find({site, kind});
  if (threads == of_site_.end()) return std::nullopt;
  std::optional<Common> out;
  std::set<std::string> callers;
  bool several = false;
  for (const auto& [thread, places] : threads->second) {
    if (thread == besides) continue;
    for (const auto& [here, function, caller, word] : places) {
      if (!out) out = Common{std::get<0>(here), function, word, {}};
      if (out->word != word) out->word.clear();
      if (out->location != std::get<0>(here)) return std::nullopt;
      several |= callers_.at(here).size() > 1;
      if (!caller.empty()) callers.insert(caller);
    }
  }
  if (out && several) out->callers.assign(callers.begin(), callers.end());
  return out;
}

}  // namespace heddle::cli
