#include "mutator/modes/gfuzz_order.h"

#include <unordered_map>

namespace heddle::mutator {

namespace {

uint64_t instance_key(const SelectPreference& p) { return mix(mix(p.thread, p.site), p.instance); }

// Says exactly which select it means: an open one may speak of selects that the order does not have.
bool exact(const SelectPreference& p) { return p.kind == Kind::select && p.thread != kAnyThread && p.instance != 0; }

}  // namespace

SelectOrder recorded_order(const ChoicePoints& points) {
  SelectOrder order;
  const KnownRun& run = points.partners().relations().run();
  if (run.select_cases.empty()) return order;
  for (uint32_t i = 0; i < run.events.size() && order.size() < kMaxPreferences; ++i) {
    const Event& e = run.events[i];
    if (e.kind != Kind::select || !e.finished()) continue;
    OrderTuple tuple;
    points.candidates(i, tuple.candidates);
    if (tuple.candidates.size() < 2) continue;
    tuple.select = points.preference(i, points.taken(i));
    order.push_back(std::move(tuple));
  }
  return order;
}

uint64_t order_key(const SelectOrder& order, const std::vector<int32_t>& choices) {
  uint64_t key = order.size() + 1;
  for (size_t i = 0; i < order.size(); ++i) {
    key = mix(mix(key, instance_key(order[i].select)), static_cast<uint32_t>(choices[i]));
  }
  return key;
}

void prescribe(Schedule& schedule, const SelectOrder& order, const std::vector<int32_t>& choices) {
  std::vector<SelectPreference> list;
  std::unordered_map<uint64_t, const SelectPreference*> before;
  for (const SelectPreference& p : schedule.selects) {
    if (exact(p)) before.emplace(instance_key(p), &p);
  }
  bool changed = false;
  for (size_t i = 0; i < order.size(); ++i) {
    const SelectPreference& recorded = order[i].select;
    changed |= choices[i] != recorded.choice;
    if (changed) {
      list.push_back(recorded);
      list.back().choice = choices[i];
    } else if (const auto p = before.find(instance_key(recorded)); p != before.end()) {
      list.push_back(*p->second);
    }
  }
  for (const SelectPreference& p : schedule.selects) {
    if (!exact(p) && list.size() < kMaxPreferences) list.push_back(p);  // the first that fits is followed
  }
  schedule.selects = std::move(list);
}

bool missed_preference(const KnownRun& run, const Schedule& schedule) {
  std::unordered_map<uint64_t, int32_t> wanted;
  for (const SelectPreference& p : schedule.selects) {
    if (exact(p)) wanted.emplace(instance_key(p), p.choice);
  }
  if (wanted.empty()) return false;
  for (const Event& e : run.events) {
    if (e.kind != Kind::select || !e.finished() || (e.flags & kEventPreferred) != 0) continue;
    const auto p = wanted.find(mix(mix(run.threads[e.thread].id, e.site), e.occurrence));
    if (p != wanted.end() && p->second != static_cast<int32_t>(e.choice)) return true;
  }
  return false;
}

}  // namespace heddle::mutator
