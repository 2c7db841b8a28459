// The runs to begin with, and which conditions can decide, as far as these runs tell.
#include <algorithm>
#include <utility>

#include "harness/cli/condition_candidates.h"
#include "harness/cli/explainer.h"
#include "harness/cli/spinning.h"

namespace heddle::cli {
namespace {

constexpr size_t kRandomRuns = 60, kOpposites = 40;
constexpr size_t kWeightOfConsequence = 2;
// So two orders of what did happen are preferred to an order that the run did not come to, or to an
// outcome that follows from what happened before.
constexpr size_t kWeightOfUnreached = 3, kWeightOfForced = 3;
// Without stale reads it follows from the order. It is said if the order alone takes many conditions.
constexpr size_t kWeightOfRead = 3;
constexpr size_t kFewOperations = 1000;  // where all of them are, is known of each run
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

// That a wait or a sleep does not end early says little more than that it was there.
bool is_usual_end(const Condition& candidate) {
  const SelectPreference* const choice = std::get_if<SelectPreference>(&candidate);
  if (choice == nullptr || choice->choice != 0) return false;
  return kind_info(choice->kind).has(kBlocks) && choice->kind != Kind::select && choice->kind != Kind::descriptor_wait;
}

// One of its operations is a late round of a loop.
bool is_late_round(const Condition& candidate) {
  const Order* const order = std::get_if<Order>(&candidate);
  return order != nullptr && std::max(order->first.occurrence, order->second.occurrence) > kRoundsThatTell;
}

}  // namespace

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

void Explainer::collect_passing() {
  constexpr size_t kPassing = 3, kTries = 20;
  if (std::exchange(looked_for_passing_, true)) return;
  std::vector<Schedule> tries = neighbours();
  while (tries.size() < kTries) tries.push_back(random_schedule());
  for (const Schedule& schedule : tries) {
    const bool late = seconds() + latest_ > at(kShareOfLooking);  // perhaps all executions have the finding
    if (late || over() || passing_.size() == kPassing) break;
    Execution execution = execute(schedule);
    if (!execution.found && execution.has_trace) passing_.push_back(std::move(execution.trace));
  }
}

void Explainer::collect_candidates() {
  add_next(trace_);
  origins_ = {};
  origins_.add(trace_);
  candidates_ = candidates_of(trace_, schedule_, passing_);
  if (only_spins_) std::erase_if(candidates_, is_late_round);  // that a thread came so far only follows from the finding
  search_ = ConditionSearch(candidates_.size());
  if (trace_.events.size() <= kFewOperations) {
    for (const Event& e : trace_.events) sites_.insert(e.site);
    for (const StoredTrace& run : passing_) {
      for (const Event& e : run.events) sites_.insert(e.site);
    }
  }
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
    if (is_forced_outcome(trace_, candidates_[i]) || is_usual_end(candidates_[i])) search_.set_weight(i, kWeightOfForced);
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

}  // namespace heddle::cli
