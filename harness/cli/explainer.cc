#include "harness/cli/explainer.h"

#include <algorithm>
#include <utility>

#include "harness/cli/deadline.h"
#include "harness/cli/next_operations.h"
#include "harness/cli/spinning.h"
#include "schedule-runtime/engine/settling.h"
#include "schedule-runtime/heap/quarantine.h"
#include "schema/clock_jumps.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

constexpr unsigned kEnoughMilliseconds = 2000;  // of an execution, if none has taken so long
constexpr double kShareOfCauses = 0.5;  // of the time; what is tried to make a guess better ends then

}  // namespace

Explainer::Explainer(TargetServer& target, const Schedule& schedule, const Execution& finding,
                     const ExplainLimits& limits, std::function<void(size_t)> progress)
    : target_(target),
      schedule_(schedule),
      trace_(for_comparison(finding.trace, finding.only_spins)),
      signature_(finding.signature),
      kind_(finding.kind),
      only_spins_(finding.only_spins),
      limits_(limits),
      progress_(std::move(progress)),
      clock_(target, limits.seconds),
      milliseconds_(std::min(limits.milliseconds,
                             std::max(kEnoughMilliseconds, static_cast<unsigned>(2000 * limits.longest)))),
      latest_(limits.mean) {}

double Explainer::seconds() const { return clock_.seconds(); }

double Explainer::at(double share) const {
  return search_begun_ + share * (search_end_ - search_begun_);
}

bool Explainer::is_late() {
  const bool late = over() || seconds() + latest_ > at(kShareOfCauses);
  if (late) untried_.insert(Untried::causes);
  return late;
}

// There is no time for another execution.
bool Explainer::over() {
  cut_ = cut_ || seconds() + latest_ > deadline_;
  return cut_;
}

Execution Explainer::execute(const Schedule& schedule) {
  const double begin = seconds();
  Execution out;
  try {
    out = target_.run(encode_schedule(schedule), milliseconds_);
  } catch (const OutOfTime&) {  // so the clock says, too, that it is over
    return {};
  }
  latest_ = seconds() - begin;
  if (out.timed_out || (out.found && out.only_spins)) target_.judge_spinning_quickly(true);  // such a run says nothing more by going on
  out.trace = for_comparison(std::move(out.trace), out.only_spins);
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

// The seed also decides whether freed memory can be used again, for how long threads go on after main, and whether clocks jump. None of this
// is a matter of order.
Schedule Explainer::with_another_seed(Schedule schedule) {
  const auto same = [&](auto decides) { return decides(schedule.seed) == decides(schedule_.seed); };
  do schedule.seed = mix(++seed_, signature_);
  while (!same(rt::Quarantine::chosen) || !same(rt::settles_long) || !same(clocks_jump));
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

std::vector<Condition> Explainer::conditions_of(const std::vector<size_t>& guess) const {
  std::vector<Condition> out;
  for (const size_t i : guess) out.push_back(candidates_[i]);
  return out;
}

}  // namespace heddle::cli
