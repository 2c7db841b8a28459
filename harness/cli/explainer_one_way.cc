// Nothing can be said about all schedules with few conditions. What one of them demands is told,
// and counted.
#include <algorithm>
#include <utility>

#include "harness/cli/dependent_orders.h"
#include "harness/cli/explainer.h"

namespace heddle::cli {
namespace {

// What `beginning` has done, `run` has done in the same order.
bool begins_with(const StoredTrace& run, const StoredTrace& beginning) {
  size_t i = 0;
  for (const Event& e : beginning.events) {
    if (!e.finished()) continue;
    if (i == run.events.size()) return false;
    const Event& same = run.events[i++];
    if (run.threads[same.thread].id != beginning.threads[e.thread].id || same.site != e.site ||
        same.kind != e.kind || same.outcome != e.outcome)
      return false;
  }
  return true;
}

// Under a weak memory model: what the reads saw that did not see the newest store.
std::vector<ReadsFrom> stale_reads(const StoredTrace& run) {
  std::vector<ReadsFrom> out;
  for (const Event& e : run.events) {
    if (!e.finished() || (e.flags & kEventStale) == 0 || !kind_info(e.kind).has(kAtomic) ||
        !kind_info(e.kind).has(kReads))
      continue;
    ReadsFrom reads = {
        .read = element_of(run, e), .write = {}, .negative = 0, .shield = 0, .reserved = {}};
    if (e.partner != kNoEvent) reads.write = element_of(run, run.events[e.partner]);
    out.push_back(reads);
  }
  return out;
}

// All that makes the run what it is. Empty: more than a schedule can demand.
std::vector<Condition> all_of(const StoredTrace& run) {
  const std::vector<Order> orders = dependent_orders(run);
  if (orders.empty() || orders.size() > kMaxDelays) return {};
  std::vector<Condition> out(orders.begin(), orders.end());
  for (const ReadsFrom& reads : stale_reads(run)) out.emplace_back(reads);
  for (const Event& e : run.events) {
    const auto outcome = outcome_of(e);
    if (outcome && *outcome != 0 && !is_forced(run, e) && !kind_info(e.kind).has(kAtomic))
      out.emplace_back(preference(run, e, *outcome));
  }
  return out;
}

// "x before z" of "x before y" and "y before z", where y is what the same thread does.
std::optional<Order> joined(const Condition& a, const Condition& b) {
  const Order* const first = std::get_if<Order>(&a);
  const Order* const second = std::get_if<Order>(&b);
  if (first == nullptr || second == nullptr || !(first->second == second->first) ||
      first->first.thread == second->second.thread)
    return std::nullopt;
  return Order{first->first, second->second};
}

}  // namespace

// The program can depend on what the seed draws besides the order: on random bytes, for example.
bool Explainer::same_order_passes() {
  constexpr size_t kTries = 20;
  cut_ = false;
  deadline_ = limits_.seconds;
  for (size_t n = 0; n < kTries && !over(); ++n) {
    const Execution execution = execute(with_another_seed(schedule_));
    if (!execution.found && execution.has_trace && begins_with(execution.trace, trace_))
      return true;
  }
  return false;
}

void Explainer::tell_one_way(Explanation& out) {
  out.nonpreemptive = schedule_.strategy == StrategyId::nonpreemptive;
  for (const Delay& delay : schedule_.delays) {
    const Order order = {delay.until, delay.what};
    if (order.first.site != kNoSite) out.one_way.push_back(order);
  }
  out.one_way.insert(out.one_way.end(), schedule_.selects.begin(), schedule_.selects.end());
  out.one_way.insert(out.one_way.end(), schedule_.reads_from.begin(), schedule_.reads_from.end());
  if (out.one_way.empty() && !out.nonpreemptive) {  // the seed alone makes the run
    const std::vector<ReadsFrom> stale = stale_reads(trace_);
    const std::vector<Order> switches = orders_of_switches(trace_);
    constexpr size_t kMostSwitches = 24;  // a longer list explains nothing
    out.one_way.insert(out.one_way.end(), stale.begin(), stale.end());
    if (switches.size() <= kMostSwitches)
      out.one_way.insert(out.one_way.end(), switches.begin(), switches.end());
  }
  if (!out.found || out.held().runs == 0) try_many_together(out);
  if (!out.found) out.same_order_passes = same_order_passes();
  if (out.same_order_passes) try_random_bytes(out);
}

// The finding comes each time that all of these are demanded and come about.
bool Explainer::is_enough(const std::vector<Condition>& all) {
  constexpr size_t kTries = 20;
  const auto holds = [&](const RunIndex& run) { return run.holds(all); };
  if (std::any_of(passing_by_.begin(), passing_by_.end(), holds)) return false;
  size_t held = 0;
  for (size_t n = 0; n < kTries && !over(); ++n) {
    Schedule demanding = random_schedule();
    demand(all, demanding);
    const Execution execution = execute(demanding);
    if (!execution.has_trace || (execution.found && !is_finding(execution))) continue;
    RunIndex index(execution.trace, execution.found);
    if (!index.holds(all)) continue;
    if (!execution.found) {
      passing_by_.push_back(std::move(index));
      return false;
    }
    ++held;
  }
  return held >= Explanation::kEnough;
}

// What is still enough without parts of these. `each`: without none of those that are left.
std::vector<Condition> Explainer::fewest(std::vector<Condition> all, bool& each) {
  const auto try_instead = [&](std::vector<Condition> fewer) {
    if (fewer.empty() || !is_enough(fewer)) return false;
    all = std::move(fewer);
    return true;
  };
  const auto leave_out = [&](size_t part) {
    bool less = false;
    for (size_t begin = 0; begin < all.size() && !over();) {
      std::vector<Condition> fewer = all;
      const auto first = fewer.begin() + static_cast<ptrdiff_t>(begin);
      fewer.erase(first, first + static_cast<ptrdiff_t>(std::min(part, all.size() - begin)));
      const bool enough = try_instead(std::move(fewer));
      less = less || enough;
      if (!enough) begin += part;
    }
    return less;
  };
  const auto join_two = [&] {
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = 0; j < all.size() && !over(); ++j) {
        const std::optional<Order> both = joined(all[i], all[j]);
        if (!both) continue;
        std::vector<Condition> fewer = all;
        fewer[i] = *both;
        fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(j));
        if (try_instead(std::move(fewer))) return true;
      }
    }
    return false;
  };
  for (size_t part = (all.size() + 1) / 2; part > 1; part = (part + 1) / 2) leave_out(part);
  do {
    while (leave_out(1)) {
    }
  } while (join_two());
  each = !over();
  return all;
}

// What the minimized schedule demands, or all orders of its run. If that leads to the finding
// whatever else the schedule does, it is an answer, although a long one. A guess that never came
// about again is none.
void Explainer::try_many_together(Explanation& out) {
  constexpr double kShareOfReducing = 0.6;  // of the time that is left; the rest is for counting
  cut_ = false;
  passing_by_.clear();
  const double begun = seconds();
  deadline_ = begun + kShareOfReducing * (limits_.seconds - begun);
  for (std::vector<Condition> all : {out.one_way, all_of(trace_)}) {
    if (all.empty() || over() || !is_enough(all)) continue;
    bool each = false;
    all = fewest(all, each);
    Explanation many = out;
    many.found = false;
    many.conditions.clear();
    many.one_way = all;
    many.each_is_needed = each;
    cut_ = false;
    deadline_ = limits_.seconds;
    count_together(many);
    if (!many.is_chain()) continue;
    out = many;
    return;
  }
}

void Explainer::count_together(Explanation& out) {
  constexpr size_t kOpposites = 20;
  out.one_way_held = {};
  out.one_way_without.assign(out.one_way.size(), {});
  const auto count_in = [&](const Schedule& demanding, Tally& tally, const auto& counts) {
    const Execution execution = execute(demanding);
    if (!execution.has_trace || (execution.found && !is_finding(execution))) return;
    if (!counts(RunIndex(execution.trace, execution.found))) return;
    ++tally.runs;
    tally.findings += execution.found;
  };
  for (size_t n = 0; n < limits_.runs && !over(); ++n) {
    Schedule demanding = random_schedule();
    demand(out.one_way, demanding);
    count_in(demanding, out.one_way_held,
             [&](const RunIndex& run) { return run.holds(out.one_way); });
    if (!out.one_way_held.all()) return;
    for (size_t i = 0; i < out.one_way.size() && n < kOpposites; ++i) {
      Schedule without = random_schedule();
      for (size_t other = 0; other < out.one_way.size(); ++other) {
        if (other != i) demand(out.one_way[other], without);
      }
      demand_opposite(out.one_way[i], without);
      if (!over())
        count_in(without, out.one_way_without[i],
                 [&](const RunIndex& run) { return !run.holds(out.one_way[i]); });
    }
  }
}

}  // namespace heddle::cli
