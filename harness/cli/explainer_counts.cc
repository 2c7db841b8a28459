// What the explanation says is counted here.
#include <algorithm>

#include "harness/cli/explainer.h"

namespace heddle::cli {

bool is_time_out(const StoredTrace& run, const Condition& condition) {
  const SelectPreference* const choice = std::get_if<SelectPreference>(&condition);
  return choice != nullptr &&
         std::any_of(run.events.begin(), run.events.end(), [&](const Event& e) {
           return e.site == choice->site && e.kind == choice->kind && e.occurrence == choice->instance &&
                  run.threads[e.thread].id == choice->thread && e.outcome == Outcome::timeout;
         });
}

bool Explanation::necessary() const {
  return found && !conditions.empty() && without.none() &&
         std::all_of(opposite.begin(), opposite.end(), [&](const Tally& tally) {
           return tally.none() && tally.runs + without.runs >= kEnough;
         });
}

// The executions that the explanation tells of: new ones, so that nothing was chosen to agree with
// them.
void Explainer::count(const std::vector<size_t>& guess) {
  const std::vector<Condition> all = conditions_of(guess);
  for (Sample& sample : samples_) sample.purpose = Purpose::guess;
  others_ = 0;
  constexpr size_t kByChance = 5;
  const bool demandable = can_be_demanded(all);
  size_t held = 0;
  const auto count_run = [&](const Schedule& schedule, Purpose purpose) {
    held += run(schedule, purpose) && samples_.back().index.holds(all);
  };
  const auto demand_all = [&] {
    Schedule demanding = random_schedule();
    demand(all, demanding);
    count_run(demanding, Purpose::enforced);
  };
  untried_.erase(Untried::executions);
  size_t n = 0;
  for (; n < limits_.runs && !over(); ++n) {
    count_run(random_schedule(), Purpose::free);
    if (all.empty()) continue;
    if (!demandable) {  // so it has to come about by chance often enough
      for (size_t more = 1; more < kByChance && !over(); ++more) count_run(random_schedule(), Purpose::free);
      continue;
    }
    demand_all();
    for (size_t i = 0; i < all.size(); ++i) {
      Schedule opposite = random_schedule();
      if (demand_opposite(all[i], opposite)) run(opposite, Purpose::opposite, i);
    }
  }
  if (n < limits_.runs) untried_.insert(Untried::executions);
  if (all.empty()) return;
  // Where it seldom comes about, although it is demanded, or because nothing can demand it.
  constexpr size_t kMostTimes = 5, kMostTimesByChance = 30;
  const size_t most = limits_.runs * (demandable ? kMostTimes : kMostTimesByChance);
  for (n *= demandable ? 1 : kByChance; held < Explanation::kEnough && n < most && !over(); ++n) {
    if (demandable) demand_all();
    else count_run(random_schedule(), Purpose::free);
  }
}

void Explainer::tally(Explanation& out) const {
  out.enforced = out.with = out.without = {};
  out.demanded = 0;
  out.opposite.assign(out.conditions.size(), {});
  const auto add = [](Tally& tally, const Sample& sample) {
    ++tally.runs;
    tally.findings += sample.index.found();
    tally.elsewhere += sample.elsewhere;
  };
  RunIndex::Doers doers;
  for (const Sample& sample : samples_) {
    if (out.for_some_threads) doers.add(sample.index);
  }
  for (const Sample& sample : samples_) {
    if (sample.purpose == Purpose::guess) continue;
    const bool held = out.for_some_threads ? sample.index.holds_for_some_threads(out.conditions, doers)
                                           : sample.index.holds(out.conditions);
    if (sample.purpose == Purpose::free) {
      add(held ? out.with : out.without, sample);
    } else if (sample.purpose == Purpose::enforced) {
      ++out.demanded;
      if (held) add(out.enforced, sample);
    } else if (sample.purpose == Purpose::opposite && !held) {
      add(out.opposite[sample.condition], sample);
    }
  }
}

// Of the runs without the finding, the one in which most of the candidates hold.
void Explainer::compare_with_nearest(Explanation& out) const {
  size_t nearest = ~size_t{0};
  for (const Sample& sample : samples_) {
    if (sample.index.found()) continue;
    const auto differs = [&](const Condition& condition) { return !sample.index.holds(condition); };
    const size_t distance =
        static_cast<size_t>(std::count_if(candidates_.begin(), candidates_.end(), differs));
    if (distance >= nearest) continue;
    nearest = distance;
    out.differs.clear();
    for (const Condition& condition : out.conditions) out.differs.push_back(differs(condition));
  }
}

// An operation that comes only where the finding comes is no matter of order, whatever it comes before.
bool Explainer::is_about_happening(const Condition& condition) const {
  const Order* const order = std::get_if<Order>(&condition);
  if (order == nullptr || !is_exact(*order)) return false;
  size_t lacking = 0;
  for (const Sample& sample : samples_) {
    if (sample.index.holds(condition)) continue;
    if (!sample.index.lacks_first(*order)) return false;
    ++lacking;
  }
  return lacking >= Explanation::kEnough;
}

bool Explainer::skips_second(const Condition& condition) const {
  const Order* const order = std::get_if<Order>(&condition);
  if (order == nullptr || !is_exact(*order)) return false;
  size_t skipping = 0;
  for (const Sample& sample : samples_) {
    if (!sample.index.found() || !sample.index.holds(condition)) continue;
    if (!sample.index.never_came_to(*order)) return false;
    ++skipping;
  }
  return skipping >= Explanation::kEnough;
}

void Explainer::tell(const std::vector<size_t>& guess, Explanation& out) const {
  out.found = true;
  out.conditions = conditions_of(guess);
  out.each = limits_.runs;
  out.for_some_threads = false;
  tally(out);
  if (!out.necessary() && !guess.empty()) {  // the same can happen with other threads
    Explanation general = out;
    general.for_some_threads = true;
    tally(general);
    if (general.necessary() && general.sufficient()) out = general;
  }
  compare_with_nearest(out);
  out.other_findings = others_;
  out.happens.clear();
  for (const Condition& condition : out.conditions) out.happens.push_back(!out.for_some_threads && is_about_happening(condition));
  out.skipped.clear();
  for (const Condition& condition : out.conditions) out.skipped.push_back(!out.for_some_threads && skips_second(condition));
  out.timed.clear();
  for (const Condition& condition : out.conditions) out.timed.push_back(is_time_out(trace_, condition));
}

}  // namespace heddle::cli
