// Of conditions that are as sure, which are nearer to the cause. An order is often named by operations that only
// follow from what decides: by the end of a thread, a late round of a loop, the receive instead of the send. So each of
// its two operations is exchanged for an earlier one of its thread, as long as the finding comes as surely, and is gone
// as surely.
#include <algorithm>
#include <set>
#include <tuple>

#include "harness/cli/explainer.h"

namespace heddle::cli {
namespace {

constexpr size_t kFarthest = 12;  // operations before the one that is named
constexpr size_t kRuns = 3;       // that try to tell two sets apart
constexpr size_t kMostNearer = 8;  // sets that are tried in the place of a cause

bool can_be_named(const Event& e) {
  const KindInfo& kind = kind_info(e.kind);
  const bool lets_time_pass = kind.has(kBlocks);  // a yield does not
  return e.site != kNoSite && (!kind.has(kPassive) || lets_time_pass);
}

// A schedule can say more of an element than that.
bool is_same(const Element& a, const Element& b) {
  return a.thread == b.thread && a.site == b.site && a.occurrence == b.occurrence && a.kind == b.kind;
}

// In the run, or after its end. The thread is the same.
bool is_not_later(const StoredTrace& run, const Element& a, const Element& b) {
  const size_t absent = run.events.size();
  size_t at_a = absent, at_b = absent;
  for (size_t i = 0; i < run.events.size(); ++i) {
    if (is_same(element_of(run, run.events[i]), a)) at_a = i;
    if (is_same(element_of(run, run.events[i]), b)) at_b = i;
  }
  if (at_a != absent) return at_a <= at_b;
  return at_b == absent && a.site == b.site && a.kind == b.kind && a.occurrence <= b.occurrence;
}

// That a thread has begun says least.
bool names_start(const Condition& condition) {
  const Order* const order = std::get_if<Order>(&condition);
  return order != nullptr && (order->first.kind == Kind::thread_start || order->second.kind == Kind::thread_start);
}

// The two operations are on one object, and one of them writes: the program speaks of these.
bool is_of_data(const StoredTrace& run, const Order& order) {
  const Event* events[2] = {};
  for (const Event& e : run.events) {
    const Element its = element_of(run, e);
    if (is_same(its, order.first)) events[0] = &e;
    if (is_same(its, order.second)) events[1] = &e;
  }
  return events[0] != nullptr && events[1] != nullptr && events[0]->object == events[1]->object && events[0]->object != 0 &&
         conflicting(events[0]->kind, events[1]->kind);
}

}  // namespace

// What the thread does after that operation in a run without the finding: the finding can have prevented it.
std::vector<Element> Explainer::operations_after(const Element& e) const {
  std::vector<Element> out;
  for (const StoredTrace& run : passing_) {
    bool after = false;
    size_t count = 0;
    for (const Event& event : run.events) {
      const Element its = element_of(run, event);
      if (after && its.thread == e.thread && can_be_named(event) && ++count <= kFarthest && std::find(out.begin(), out.end(), its) == out.end()) out.push_back(its);
      after = after || is_same(its, e);
    }
  }
  return out;
}

// The thread's operations in the finding's run, before that one and after `since`, the latest first.
std::vector<Element> Explainer::operations_before(const Element& e, const Element& since) const {
  std::vector<Element> out;
  for (const Event& event : trace_.events) {
    const Element its = element_of(trace_, event);
    if (is_same(its, e)) break;
    if (is_same(its, since)) out.clear();
    if (its.thread == e.thread && can_be_named(event)) out.push_back(its);
  }
  std::reverse(out.begin(), out.end());
  if (out.size() > kFarthest) out.resize(kFarthest);
  return out;
}

// Its number among the candidates, to which it is added, with the weight of that one. None: the runs so far do not tell
// where it holds.
std::optional<size_t> Explainer::number_of(const Condition& condition, size_t like) {
  const auto at = std::find(candidates_.begin(), candidates_.end(), condition);
  if (at != candidates_.end()) return static_cast<size_t>(at - candidates_.begin());
  std::unordered_set<SiteId> sites;
  add_sites(condition, sites);
  if (!std::all_of(sites.begin(), sites.end(), [&](SiteId site) { return sites_.contains(site); })) return std::nullopt;
  std::vector<bool> holds;
  for (const Sample& sample : samples_) holds.push_back(sample.index.holds(condition));
  search_.add_candidate(holds, search_.weight(like));
  candidates_.push_back(condition);
  places_.push_back(RunIndex(trace_, true).place_of(condition));
  unreached_.push_back(unreached_[like]);
  return candidates_.size() - 1;
}

// Runs that demand one of the two sets, and not all of the other one. In the first in which only one of them holds: is the
// finding where `other` is? None: they were never told apart.
std::optional<bool> Explainer::is_better(const std::vector<size_t>& other, const std::vector<size_t>& set) {
  const auto [at, fresh] = told_apart_.try_emplace({other, set});
  if (!fresh) return at->second;
  const std::vector<Condition> others = conditions_of(other), all = conditions_of(set);
  const auto tell = [&](const std::vector<size_t>& demanded, const std::vector<size_t>& opposed) {
    for (const size_t part : opposed) {
      if (std::find(demanded.begin(), demanded.end(), part) != demanded.end()) continue;
      for (size_t n = 0; n < kRuns && !over() && !at->second; ++n) {
        Schedule demanding = random_schedule();
        demand(conditions_of(demanded), demanding);
        if (!demand_opposite(candidates_[part], demanding) || !run(demanding)) break;
        const RunIndex& last = samples_.back().index;
        const bool holds = last.holds(others);
        if (holds != last.holds(all)) at->second = holds == last.found();
      }
    }
  };
  tell(other, set);
  tell(set, other);
  return at->second;
}

// The set, with an earlier operation at one side of the condition `named`, which is then the one with that operation.
std::vector<size_t> Explainer::with_earlier(const std::vector<size_t>& set, size_t& named, Element Order::*side) {
  std::vector<size_t> out = set;
  const Order* const exact = std::get_if<Order>(&candidates_[named]);
  if (exact == nullptr || !is_exact(*exact)) return out;
  Order order = *exact;
  const bool is_first = side == &Order::first;
  for (const Element& earlier : operations_before(order.*side, is_first ? Element{} : order.first)) {
    if (is_late()) break;
    Order other = order;
    other.*side = earlier;
    if (origins_.decide(other)) break;
    const std::optional<size_t> number = number_of(other, named);
    if (!number || std::find(out.begin(), out.end(), *number) != out.end()) break;
    std::vector<size_t> next = out;
    std::replace(next.begin(), next.end(), named, *number);
    std::sort(next.begin(), next.end());
    const auto disagrees = [&] { return search_.findings_with(next) < std::max<size_t>(1, search_.findings_with(out)); };
    if (disagrees()) break;
    const std::optional<bool> better = is_better(next, out);
    if (better == false || disagrees()) break;
    if (!better && names_start(other)) break;
    // What cannot be told apart says the same. Then what the program speaks of says it best.
    if (!better && is_of_data(trace_, order) && !is_of_data(trace_, other)) continue;
    if (!comes_always(next)) break;
    order = other;
    named = *number;
    out = next;
  }
  return out;
}

bool Explainer::is_all_of_data(const std::vector<size_t>& set) const {
  return std::all_of(set.begin(), set.end(), [&](size_t i) {
    const Order* const order = std::get_if<Order>(&candidates_[i]);
    return order != nullptr && is_of_data(trace_, *order);
  });
}

// In no run without the finding are there all of its operations: so it is rather what the finding does.
bool Explainer::is_only_with_finding(size_t candidate) const {
  const auto shows_it = [&](const Sample& sample) { return !sample.index.found() && sample.index.reached(candidates_[candidate]); };
  return std::none_of(samples_.begin(), samples_.end(), shows_it);
}

// Another set that agrees with all runs, too, and that is preferred: with fewer conditions, with operations that are there
// without the finding, too, with less weight, and at last with conditions that come about earlier. That is nearer to the
// first point at which runs with and without the finding differ. If there are several ways to the finding, one is as good as
// the other.
std::vector<size_t> Explainer::nearest_of(const std::vector<size_t>& cause) {
  using Key = std::tuple<size_t, size_t, size_t, uint32_t>;
  std::vector<bool> only_with_finding;
  for (size_t i = 0; i < candidates_.size(); ++i) only_with_finding.push_back(is_only_with_finding(i));
  const auto key = [&](const std::vector<size_t>& set) {
    size_t weight = 0, consequences = 0;
    for (const size_t i : set) weight += search_.weight(i), consequences += only_with_finding[i];
    return Key(set.size(), consequences, weight, place_of(set));
  };
  std::vector<size_t> out = cause;
  std::set<std::vector<size_t>> tried;
  while (search_.agrees(out) && tried.size() < kMostNearer && !is_late()) {
    std::optional<std::pair<Key, std::vector<size_t>>> next;
    for (const auto& [set, findings] : search_.sufficient()) {
      if (findings != search_.findings_with(out) || !search_.agrees(set) || tried.contains(set)) continue;
      const auto misses_early_end = [&](size_t i) { return ends_early(i) && std::find(set.begin(), set.end(), i) == set.end(); };
      if (std::any_of(out.begin(), out.end(), misses_early_end)) continue;
      const Key its = key(set);
      if (its < key(out) && (!next || its < next->first)) next = {its, set};
    }
    if (!next) break;
    const std::vector<size_t>& set = next->second;
    tried.insert(set);
    const std::optional<bool> better = is_better(set, out);
    if (!search_.agrees(set)) continue;
    const auto starts = [&](const std::vector<size_t>& its) {
      return std::count_if(its.begin(), its.end(), [&](size_t i) { return names_start(candidates_[i]); });
    };
    if (!better && (starts(set) > starts(out) || (is_all_of_data(out) && !is_all_of_data(set)))) continue;
    const bool is_cause = !can_be_demanded(conditions_of(set)) || comes_always(set);
    if (is_cause && search_.agrees(set)) out = set;
  }
  return out;
}

// Of two orders between the same threads one can follow from the other: "before the 2nd lock" says more than "before the 3rd".
std::vector<size_t> Explainer::without_implied(std::vector<size_t> set) const {
  const auto order = [&](size_t i) { return std::get_if<Order>(&candidates_[i]); };
  const auto implies = [&](size_t a, size_t b) {
    if (a == b || order(a) == nullptr || order(b) == nullptr || !is_exact(*order(a)) || !is_exact(*order(b))) return false;
    const auto& [first, second] = *order(a);
    const auto& [earlier, later] = *order(b);
    if (first.thread != earlier.thread || second.thread != later.thread) return false;
    return is_not_later(trace_, earlier, first) && is_not_later(trace_, second, later);
  };
  const std::vector<size_t> all = set;
  std::erase_if(set, [&](size_t b) { return std::any_of(all.begin(), all.end(), [&](size_t a) { return implies(a, b); }); });
  return set;
}

// The set misses findings. With a later operation at the second side of an order it holds in more runs: a loop can fail in
// any of its rounds, and the order with the last one covers all.
std::vector<size_t> Explainer::widened(const std::vector<size_t>& set) {
  std::vector<size_t> out = set;
  for (size_t named : set) {
    const Order* const exact = std::get_if<Order>(&candidates_[named]);
    if (exact == nullptr || !is_exact(*exact)) continue;
    Order order = *exact;
    for (const Element& later : operations_after(order.second)) {
      if (is_late() || search_.agrees(out)) break;
      order.second = later;
      const std::optional<size_t> number = origins_.decide(order) ? std::nullopt : number_of(order, named);
      if (!number || std::find(out.begin(), out.end(), *number) != out.end()) continue;
      std::vector<size_t> next = out;
      std::replace(next.begin(), next.end(), named, *number);
      std::sort(next.begin(), next.end());
      if (search_.findings_with(next) <= search_.findings_with(out) || !comes_always(next)) continue;
      if (search_.findings_with(next) <= search_.findings_with(out)) continue;  // the runs that demand it speak against it
      named = *number;
      out = next;
    }
  }
  return out;
}

// "x comes before y" can hold because y is there at all: its thread came to y because it had looked before x. Where it
// looked after x, there is no y. Then "x comes between the look and y" says what has to be one step.
std::vector<size_t> Explainer::with_looks(const std::vector<size_t>& set) {
  std::vector<size_t> out = set;
  for (const size_t named : set) {
    const Order* const exact = std::get_if<Order>(&candidates_[named]);
    if (exact == nullptr || !is_exact(*exact) || out.size() == ConditionSearch::kLargest) continue;
    const auto [x, y] = *exact;
    for (const Element& look : operations_before(y, {})) {
      const Order before = {look, x};
      if (!is_of_data(trace_, before) || origins_.decide(before)) continue;
      const std::optional<size_t> number = number_of(before, named);
      const std::vector<size_t> always = search_.always_with(out);
      if (!number || std::find(always.begin(), always.end(), *number) == always.end()) break;
      size_t later = 0, both = 0;
      for (const Sample& sample : samples_) {
        if (!sample.index.reversed(before)) continue;
        ++later;
        both += !sample.index.lacks_first({y, x});
      }
      if (later == 0 || both != 0) break;
      std::vector<size_t> next = out;
      next.insert(std::upper_bound(next.begin(), next.end(), *number), *number);
      if (comes_always(next)) out = next;
      break;
    }
  }
  return out;
}

std::vector<size_t> Explainer::weakened(const std::vector<size_t>& set) {
  std::vector<size_t> out = set;
  for (size_t named : set) {
    for (Element Order::*side : {&Order::first, &Order::second}) out = with_earlier(out, named, side);
  }
  return out;
}

}  // namespace heddle::cli
