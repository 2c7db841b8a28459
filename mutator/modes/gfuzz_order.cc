#include "mutator/modes/gfuzz_order.h"

#include <algorithm>
#include <bitset>
#include <unordered_map>
#include <utility>

namespace heddle::mutator {

namespace {

uint64_t instance_key(const SelectPreference& p) {
  return mix(mix(p.thread, p.site), static_cast<uint64_t>(p.instance) << 8 | static_cast<uint8_t>(p.kind));
}

// Names exactly one choice. An open preference could match choices that are not in the order.
bool exact(const SelectPreference& p) { return p.thread != kAnyThread && p.instance != 0; }

// Drops choices if there are too many, from the places with the most instances. The rest stay in the run's order.
std::vector<uint32_t> decided(const ChoicePoints& points, Choices which) {
  const KnownRun& run = points.partners().relations().run();
  std::vector<std::pair<uint32_t, uint32_t>> found;  // passage of its place, event
  std::unordered_map<uint64_t, uint32_t> passages;
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if ((which == Choices::selects && e.kind != Kind::select) || points.taken(i) == ChoicePoints::kUndecided) continue;
    if (points.is_choice(i)) found.emplace_back(passages[mix(e.site, static_cast<uint64_t>(e.kind))]++, i);
  }
  if (found.size() > kMaxPreferences) {
    std::sort(found.begin(), found.end());
    found.resize(kMaxPreferences);
  }
  std::vector<uint32_t> events;
  for (const auto& [passage, event] : found) events.push_back(event);
  std::sort(events.begin(), events.end());
  return events;
}

}  // namespace

SelectOrder recorded_order(const ChoicePoints& points, Choices which) {
  SelectOrder order;
  for (uint32_t i : decided(points, which)) {
    OrderTuple tuple;
    points.candidates(i, tuple.candidates);
    tuple.select = points.preference(i, points.taken(i));
    // A try-operation that no other thread disturbs has the same outcome again. For a select's cases less is known: the partner may have
    // given up.
    if (tuple.select.kind != Kind::select && possible_others(tuple.candidates, tuple.select.choice) == 0) continue;
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
  std::bitset<256> kinds;  // that the order speaks of
  for (const OrderTuple& tuple : order) kinds.set(static_cast<uint8_t>(tuple.select.kind));
  const auto spoken_of = [&](const SelectPreference& p) { return exact(p) && kinds.test(static_cast<uint8_t>(p.kind)); };
  for (const SelectPreference& p : schedule.selects) {
    if (spoken_of(p)) before.emplace(instance_key(p), &p);
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
    if (!spoken_of(p) && list.size() < kMaxPreferences) list.push_back(p);  // the first that fits is followed
  }
  schedule.selects = std::move(list);
}

bool missed_preference(const ChoicePoints& points, const Schedule& schedule) {
  std::unordered_map<uint64_t, int32_t> wanted;
  for (const SelectPreference& p : schedule.selects) {
    if (exact(p)) wanted.emplace(instance_key(p), p.choice);
  }
  if (wanted.empty()) return false;
  const KnownRun& run = points.partners().relations().run();
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const int32_t taken = points.taken(i);
    if (taken == ChoicePoints::kUndecided || !run.events[i].finished() || (run.events[i].flags & kEventPreferred) != 0) continue;
    const auto p = wanted.find(instance_key(points.preference(i, taken)));
    if (p != wanted.end() && p->second != taken) return true;
  }
  return false;
}

}  // namespace heddle::mutator
