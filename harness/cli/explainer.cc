#include "harness/cli/explainer.h"

#include <algorithm>
#include <utility>

#include "harness/cli/condition_candidates.h"
#include "harness/cli/next_operations.h"
#include "harness/cli/spinning.h"
#include "schedule-runtime/heap/quarantine.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kRandomRuns = 60, kOpposites = 40;  // runs to begin with
constexpr size_t kWeightOfConsequence = 2;
// So two orders of what did happen are preferred to an order that the run did not come to, or to an
// outcome that follows from what happened before.
constexpr size_t kWeightOfUnreached = 3, kWeightOfForced = 3;
// Without stale reads it follows from the order. It is said if the order alone takes many conditions.
constexpr size_t kWeightOfRead = 3;
constexpr unsigned kEnoughMilliseconds = 2000;  // of an execution, if none has taken so long
constexpr double kShareOfLooking = 0.3;  // of the time; so there is some left to try a guess

// The candidate is an outcome, and nothing else could have come out in that run.
bool is_forced_outcome(const StoredTrace& run, const Condition& candidate) {
  const SelectPreference* const choice = std::get_if<SelectPreference>(&candidate);
  return choice != nullptr &&
         std::any_of(run.events.begin(), run.events.end(), [&](const Event& e) {
           return e.site == choice->site && e.kind == choice->kind &&
                  e.occurrence == choice->instance && run.threads[e.thread].id == choice->thread &&
                  is_forced(run, e);
         });
}

// One of its operations is a late round of a loop.
bool is_late_round(const Condition& candidate) {
  const Order* const order = std::get_if<Order>(&candidate);
  return order != nullptr && std::max(order->first.occurrence, order->second.occurrence) > kRoundsThatTell;
}

}  // namespace

Explainer::Explainer(TargetServer& target, const Schedule& schedule, const Execution& finding,
                     const ExplainLimits& limits, std::function<void(size_t)> progress)
    : target_(target),
      schedule_(schedule),
      trace_(finding.only_spins ? without_later_rounds(finding.trace) : finding.trace),
      signature_(finding.signature),
      kind_(finding.kind),
      only_spins_(finding.only_spins),
      limits_(limits),
      progress_(std::move(progress)),
      milliseconds_(std::min(limits.milliseconds,
                             std::max(kEnoughMilliseconds, static_cast<unsigned>(2000 * limits.longest)))),
      latest_(limits.mean) {}

double Explainer::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begun_).count();
}

double Explainer::at(double share) const {
  return search_begun_ + share * (search_end_ - search_begun_);
}

// There is no time for another execution.
bool Explainer::over() {
  cut_ = cut_ || seconds() + latest_ > deadline_;
  return cut_;
}

Execution Explainer::execute(const Schedule& schedule) {
  const double begin = seconds();
  Execution out = target_.run(encode_schedule(schedule), milliseconds_);
  latest_ = seconds() - begin;
  if (out.only_spins) out.trace = without_later_rounds(std::move(out.trace));
  progress_(++executions_);
  return out;
}

bool Explainer::is_finding(const Execution& execution) const {
  return execution.found &&
         (execution.signature == signature_ || (anywhere_ && is_elsewhere(execution)));
}

bool Explainer::is_elsewhere(const Execution& execution) const {
  return execution.found && execution.signature != signature_ && execution.kind != 0 &&
         execution.kind == kind_;
}

bool Explainer::run(const Schedule& schedule, Purpose purpose, size_t condition) {
  Execution execution = execute(schedule);
  const bool finding = is_finding(execution);
  if (finding) add_next(execution.trace);
  if (execution.found && !finding) ++others_;
  const bool elsewhere = is_elsewhere(execution);
  if (!execution.has_trace || (execution.found && !finding && !elsewhere)) return false;
  Sample sample = {RunIndex(execution.trace, execution.found, &sites_), purpose, condition, elsewhere};
  if (!elsewhere || finding) {
    add(std::move(sample));
    return true;
  }
  set_aside_.push_back(std::move(sample));
  return false;
}

void Explainer::add(Sample sample) {
  samples_.push_back(std::move(sample));
  const RunIndex& index = samples_.back().index;
  const bool finding = index.found();
  std::vector<bool> holds;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    holds.push_back(index.holds(candidates_[i]));
    const Order* const order = std::get_if<Order>(&candidates_[i]);
    if (!finding && order != nullptr && !unreached_[i] && index.reversed(*order)) search_.set_weight(i, 1);
  }
  search_.add(holds, finding);
}

bool Explainer::most_are_elsewhere() const {
  const auto here = std::count_if(samples_.begin(), samples_.end(), [](const Sample& sample) { return sample.index.found(); });
  return set_aside_.size() > static_cast<size_t>(here);
}

// What leads to the finding leads to other places, too.
bool Explainer::leads_elsewhere(const std::vector<size_t>& guess) const {
  const std::vector<Condition> all = conditions_of(guess);
  return std::any_of(set_aside_.begin(), set_aside_.end(), [&](const Sample& sample) { return sample.index.holds(all); });
}

// One bug can have findings at many places, such as a use after free at each place that uses the
// block. At which one is chance, and each alone can be too rare.
void Explainer::count_elsewhere() {
  anywhere_ = true;
  for (Sample& sample : set_aside_) add(std::move(sample));
  set_aside_.clear();
  comes_.clear();
}

// What the finding prevented, as far as a run without it did the same before.
void Explainer::add_next(StoredTrace& run) const {
  for (const StoredTrace& other : passing_) add_next_operations(run, other);
}

Schedule Explainer::random_schedule() {
  Schedule out = without_order(schedule_);
  out.visible_plain = schedule_.visible_plain;
  return with_another_seed(std::move(out));
}

// The seed also decides whether freed memory can be used again. That is no matter of order.
Schedule Explainer::with_another_seed(Schedule schedule) {
  const bool quarantine = rt::Quarantine::chosen(schedule_.seed);
  do schedule.seed = mix(++seed_, signature_);
  while (rt::Quarantine::chosen(schedule.seed) != quarantine);
  return schedule;
}

// Without spurious wake-ups and early time-outs, if the finding does not need them: they would only
// be noise.
void Explainer::choose_assumptions() {
  for (const Assumption assumption : {kNoSpuriousWakes, kPatientTimeouts}) {
    Schedule calm = schedule_;
    calm.assumes = static_cast<uint8_t>(calm.assumes | assumption);
    if (!over() && is_finding(execute(calm))) schedule_ = calm;
  }
}

// Schedules like that of the finding, with a bit less or otherwise.
std::vector<Schedule> Explainer::neighbours() const {
  std::vector<Schedule> out = {bare_schedule(schedule_)};
  for (size_t i = 0; i < schedule_.delays.size(); ++i) {
    Schedule other = schedule_;
    std::swap(other.delays[i].what, other.delays[i].until);
    if (other.delays[i].what.site != kNoSite) out.push_back(other);
    other.delays.erase(other.delays.begin() + static_cast<ptrdiff_t>(i));
    out.push_back(other);
  }
  for (size_t i = 0; i < schedule_.selects.size(); ++i) {
    Schedule other = schedule_;
    other.selects.erase(other.selects.begin() + static_cast<ptrdiff_t>(i));
    out.push_back(other);
  }
  return out;
}

void Explainer::collect_candidates() {
  constexpr size_t kPassing = 3, kTries = 20;
  std::vector<Schedule> tries = neighbours();
  while (tries.size() < kTries) tries.push_back(random_schedule());
  for (const Schedule& schedule : tries) {
    if (over() || passing_.size() == kPassing) break;
    Execution execution = execute(schedule);
    if (!execution.found && execution.has_trace) passing_.push_back(std::move(execution.trace));
  }
  add_next(trace_);
  candidates_ = candidates_of(trace_, schedule_, passing_);
  if (only_spins_) std::erase_if(candidates_, is_late_round);  // that a thread came so far only follows from the finding
  search_ = ConditionSearch(candidates_.size());
  const RunIndex index(trace_, true);
  unreached_.assign(candidates_.size(), false);
  places_.clear();
  for (size_t i = 0; i < candidates_.size(); ++i) {
    add_sites(candidates_[i], sites_);
    places_.push_back(index.place_of(candidates_[i]));
    const Order* const order = std::get_if<Order>(&candidates_[i]);
    unreached_[i] = order != nullptr && index.never_came_to(*order);
    // An order that never was the other way round is more likely a consequence than a cause.
    if (order != nullptr) search_.set_weight(i, unreached_[i] ? kWeightOfUnreached : kWeightOfConsequence);
    if (std::holds_alternative<ReadsFrom>(candidates_[i]) && schedule_.memory_model == MemoryModel::sc) search_.set_weight(i, kWeightOfRead);
    if (is_forced_outcome(trace_, candidates_[i])) search_.set_weight(i, kWeightOfForced);
  }
}

void Explainer::look_around() {
  const double end = at(kShareOfLooking);
  const auto enough = [&] { return over() || seconds() + latest_ > end; };
  if (!over()) run(schedule_);
  for (const Schedule& other : neighbours()) {
    if (!enough()) run(other);
  }
  const size_t opposites = std::min(kOpposites, candidates_.size());
  for (size_t i = 0; i < kRandomRuns && !enough(); ++i) {
    run(random_schedule());
    Schedule other = random_schedule();
    if (i < opposites && demand_opposite(candidates_[i], other) && !enough()) run(other);
  }
}

std::vector<Condition> Explainer::conditions_of(const std::vector<size_t>& guess) const {
  std::vector<Condition> out;
  for (const size_t i : guess) out.push_back(candidates_[i]);
  return out;
}

// Some runs that demand the conditions, and some that demand the opposite of each. True: one of
// them does not agree, and is a sample now.
bool Explainer::contradicted(const std::vector<size_t>& guess, size_t runs) {
  const std::vector<Condition> all = conditions_of(guess);
  bool necessary = true;
  for (const Sample& sample : samples_)
    necessary = necessary && (!sample.index.found() || sample.index.holds(all));
  const auto contradicts = [&] {
    const RunIndex& last = samples_.back().index;
    return last.found() ? necessary && !last.holds(all) : last.holds(all);
  };
  for (size_t n = 0; n < runs && !over(); ++n) {
    Schedule demanding = random_schedule();
    for (const Condition& condition : all) demand(condition, demanding);
    if (run(demanding) && contradicts()) return true;
    for (size_t i = 0; i < all.size(); ++i) {
      Schedule alone = random_schedule(), among_others = random_schedule();
      for (size_t other = 0; other < all.size(); ++other) {
        if (other != i) demand(all[other], among_others);
      }
      if (demand_opposite(all[i], alone) && run(alone) && contradicts()) return true;
      if (demand_opposite(all[i], among_others) && run(among_others) && contradicts()) return true;
    }
  }
  return false;
}

}  // namespace heddle::cli
