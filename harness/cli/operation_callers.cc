#include "harness/cli/operation_callers.h"

#include <algorithm>
#include <filesystem>

namespace heddle::cli {
namespace {

std::string name_of_file(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

void OperationCallers::add(const StoredTrace& run, const RunModel& model,
                           const ReachedPlaces& reached) {
  std::map<std::tuple<ThreadId, Own, std::string, unsigned>, uint32_t> counts;
  for (const RunRow& row : model.rows) {
    if (row.what != RunRow::operation || row.event >= run.events.size()) continue;
    const Event& e = run.events[row.event];
    SourcePlace at;
    if (!reached.place_of(e.site, e.kind, at)) continue;
    // The run's place is outside of the wrapper already, if the run had several callers of it.
    const RunPlace& place = model.places[row.place];
    const bool outside = place.line != at.line || name_of_file(place.file) != at.file;
    const RunPlace& from = outside ? place : model.places[row.caller];
    if (from.line == 0 || from.file.empty()) continue;
    const Own own = {at.file, at.line, e.kind};
    const SourceLine caller = {name_of_file(from.file), from.line, from.function,
                               texts_.text(from.file, from.line)};
    std::vector<SourceLine>& known = callers_[own];
    if (std::find(known.begin(), known.end(), caller) == known.end()) known.push_back(caller);
    own_[e.site] = {at.file, at.line};
    const ThreadId thread = run.threads[e.thread].id;
    const uint32_t n = ++counts[{thread, own, caller.file, caller.line}];
    counted_[{thread, e.site, e.kind, e.occurrence}] = {own, caller, n};
    operations_[{thread, own, caller.file, caller.line, n}] = {e.site, e.occurrence};
  }
}

OperationCallers::Called OperationCallers::find(ThreadId thread, SiteId site, Kind kind,
                                                uint32_t occurrence) const {
  const auto at = counted_.find({thread, site, kind, occurrence});
  if (at == counted_.end() || callers_.at(at->second.own).size() < 2) return {};
  return {&at->second.caller, at->second.occurrence};
}

const SourceLine* OperationCallers::caller(SiteId site, Kind kind, const SourceLine& wanted) const {
  const auto own = own_.find(site);
  if (own == own_.end()) return nullptr;
  const auto known = callers_.find({own->second.first, own->second.second, kind});
  if (known == callers_.end()) return nullptr;
  const auto distance = [&](const SourceLine& l) {
    return l.line > wanted.line ? l.line - wanted.line : wanted.line - l.line;
  };
  // With both texts known, a line of another text has been edited, or is another one.
  const auto fits = [&](const SourceLine& l) {
    if (!wanted.text.empty() && !l.text.empty() && l.text != wanted.text)
      return l.line == wanted.line && l.function == wanted.function;
    return (l.text == wanted.text && !l.text.empty()) || l.line == wanted.line;
  };
  // The same text can be in several functions, and then which is nearest says little.
  const auto better = [&](const SourceLine& a, const SourceLine& b) {
    const auto rank = [&](const SourceLine& l) {
      return std::tuple(l.text != wanted.text, l.function != wanted.function, distance(l));
    };
    return rank(a) < rank(b);
  };
  const SourceLine* best = nullptr;
  for (const SourceLine& l : known->second) {
    if (l.file == wanted.file && fits(l) && (best == nullptr || better(l, *best))) best = &l;
  }
  return best;
}

OperationCallers::Operation OperationCallers::find(ThreadId thread, SiteId site, Kind kind,
                                                   const SourceLine& wanted,
                                                   uint32_t occurrence) const {
  const SourceLine* const there = caller(site, kind, wanted);
  if (there == nullptr) return {};
  const auto& [file, line] = own_.at(site);
  const auto at =
      operations_.find({thread, {file, line, kind}, there->file, there->line, occurrence});
  return at == operations_.end() ? Operation() : at->second;
}

}  // namespace heddle::cli
