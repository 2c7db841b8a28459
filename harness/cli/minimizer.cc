#include "harness/cli/minimizer.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "harness/cli/deadline.h"
#include "harness/cli/spinning.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kLeastMilliseconds = 200, kEnoughMilliseconds = 2000;
constexpr uint64_t kManyTimedOut = 10;

}  // namespace

size_t constraints_of(const Schedule& s, size_t switches) {
  const size_t named = s.delays.size() + s.elements.size() + s.reads_from.size() + s.selects.size() + s.visible_plain.size() + s.graph.size() + s.weights.size();
  const bool explained = s.strategy == StrategyId::nonpreemptive;
  return named + (explained ? s.seed != 0 : switches) + static_cast<size_t>(std::popcount(s.assumes)) + (s.memory_model != MemoryModel::sc);
}

Minimizer::Minimizer(TargetServer& target, const SearchLimits& limits, std::function<void(const Minimizer&)> progress)
    : target_(target), clock_(target, limits.seconds), limits_(limits), progress_(std::move(progress)) {}

// Of a finding about threads that only spin, the first rounds: how often they spin is chance.
size_t Minimizer::leave_out_rounds(Execution& execution) {
  const size_t operations = execution.trace.events.size();
  if (execution.only_spins) execution.trace = without_later_rounds(std::move(execution.trace));
  return operations;
}

// There is time for the next execution, and for the report at the end.
bool Minimizer::over() {
  const bool late = clock_.seconds() + 2 * latest_ > limits_.seconds;
  const bool over = late || executions_ >= limits_.executions;
  if (over && !cut_) cut_in_ = step_;
  cut_ = cut_ || over;
  late_ = late_ || late;
  return over;
}

Execution Minimizer::run(std::span<const uint8_t> input, unsigned milliseconds) {
  const auto begin = Clock::now();
  const double before = clock_.seconds();
  Execution execution = target_.run(input, milliseconds);
  ++executions_;
  latest_ = clock_.seconds() - before;
  longest_ = std::max(longest_, Clock::now() - begin);
  return execution;
}

// The same comes with the quick verdict about threads that only spin: then that is used.
bool Minimizer::judge_quickly(const std::vector<uint8_t>& input) {
  if (!first_.only_spins) return false;
  target_.judge_spinning_quickly(true);
  const auto begin = Clock::now();
  Execution quick = run(input, limits_.milliseconds);
  const bool same = quick.found && quick.has_trace && quick.signature == first_.signature;
  if (same) {
    best_.size.operations = leave_out_rounds(quick);
    best_.run = quick.trace;
    best_.size.switches = thread_switches(quick.trace);
    longest_ = Clock::now() - begin;
    first_ = std::move(quick);
  }
  target_.judge_spinning_quickly(same);
  return same;
}

bool Minimizer::begin(const std::vector<uint8_t>& input) {
  first_ = run(input, limits_.milliseconds);
  const auto often = static_cast<unsigned>(std::chrono::duration_cast<std::chrono::milliseconds>(longest_).count());
  milliseconds_ = std::min({limits_.milliseconds, std::max(kLeastMilliseconds, often * 10), std::max(kEnoughMilliseconds, often * 2)});
  if (!first_.found || !first_.has_trace) return false;
  decode_schedule(input, original_);
  const size_t operations = leave_out_rounds(first_);
  const size_t switches = thread_switches(first_.trace);
  before_ = {switches, constraints_of(original_, switches), original_.payload.size(), operations};
  best_ = {original_, first_.trace, before_, true};
  tried_.insert(hash_input(input));
  judges_quickly_ = judge_quickly(input);
  return true;
}

// Null: it is over.
std::optional<Execution> Minimizer::attempt(const Schedule& candidate) {
  if (over()) return std::nullopt;
  std::optional<Execution> out;
  try {
    out = run(encode_schedule(candidate), milliseconds_);
  } catch (const OutOfTime&) {  // so the clock says, too, that it is over
    cut_ = true;
    return std::nullopt;
  }
  progress_(*this);
  // So other ones end soon.
  if (out->timed_out || (out->found && out->only_spins)) target_.judge_spinning_quickly(true);
  if (out->timed_out && ++timed_out_ == kManyTimedOut) milliseconds_ = std::max(kLeastMilliseconds / 4, milliseconds_ / 4);
  return out;
}

bool Minimizer::is_same(const Execution& execution) const {
  return execution.has_trace && execution.found && execution.signature == first_.signature && execution.timed_out == first_.timed_out;
}

Minimal Minimizer::sized(const Schedule& candidate, Execution&& execution) {
  const size_t operations = leave_out_rounds(execution);
  const size_t switches = thread_switches(execution.trace);
  return {candidate, std::move(execution.trace), {switches, constraints_of(candidate, switches), candidate.payload.size(), operations}, false};
}

// Of equally many switches, better those with a reason. How often threads switch that only spin is chance.
bool Minimizer::is_better(const Minimal& candidate) const {
  const bool explained = explains(candidate.schedule), was = explains(best_.schedule);
  const Size &size = candidate.size, &old = best_.size;
  if (explained != was && (size.switches == old.switches || first_.only_spins)) return explained;
  if (!first_.only_spins || !explained || size.constraints == old.constraints) return size < old;
  return size.constraints < old.constraints;
}

// Runs the candidate. True: it has the same finding, and is smaller than the best one. It is the best one then.
bool Minimizer::smaller(const Schedule& candidate) {
  same_finding_ = false;
  if (over() || !tried_.insert(hash_input(encode_schedule(candidate))).second) return false;
  std::optional<Execution> execution = attempt(candidate);
  if (!execution || !execution->has_trace) return false;
  same_finding_ = is_same(*execution);
  if (!same_finding_) {
    if (candidate.delays.empty() && candidate.elements.empty() && passed_.events.empty()) passed_ = std::move(execution->trace);
    return false;
  }
  Minimal one = sized(candidate, std::move(*execution));
  if (!is_better(one)) return false;
  best_ = std::move(one);
  return true;
}

// Delta debugging (Zeller and Hildebrandt): large parts first.
template <typename T>
void Minimizer::leave_out(std::vector<T> Schedule::*list) {
  for (size_t part = ((best_.schedule.*list).size() + 1) / 2; part != 0 && !over(); part = part == 1 ? 0 : (part + 1) / 2) {
    for (bool again = true; again;) {
      again = false;
      for (size_t end = (best_.schedule.*list).size(); end != 0; end = end > part ? end - part : 0) {
        Schedule candidate = best_.schedule;
        auto& items = candidate.*list;
        end = std::min(end, items.size());
        const size_t begin = end > part ? end - part : 0;
        items.erase(items.begin() + static_cast<ptrdiff_t>(begin), items.begin() + static_cast<ptrdiff_t>(end));
        again = smaller(candidate) || again;
      }
      again = again && part == 1;
    }
  }
}

// One order for another.
void Minimizer::exchange(const std::vector<Order>& orders) {
  for (bool again = true; again && !over();) {
    again = false;
    for (size_t i = 0; i < best_.schedule.delays.size(); ++i) {
      for (const Order& order : orders) {
        if (i >= best_.schedule.delays.size() || over()) break;
        Schedule candidate = best_.schedule;
        candidate.delays[i] = delay_of(order);
        again = smaller(candidate) || again;
      }
    }
    if (again) leave_out(&Schedule::delays);
  }
}

void Minimizer::leave_out_data() {
  Schedule candidate = best_.schedule;
  candidate.payload.clear();
  smaller(candidate);
  leave_out(&Schedule::payload);
}

void Minimizer::leave_out_all() {
  leave_out(&Schedule::delays);
  leave_out(&Schedule::elements);
  leave_out(&Schedule::reads_from);
  leave_out(&Schedule::selects);
  leave_out(&Schedule::graph);
  leave_out(&Schedule::visible_plain);
  leave_out(&Schedule::weights);
  Schedule candidate = best_.schedule;
  candidate.assumes = 0;
  smaller(candidate);
  candidate = best_.schedule;
  candidate.memory_model = MemoryModel::sc;
  smaller(candidate);
  candidate = best_.schedule;
  candidate.seed = 0;
  smaller(candidate);
}

// From the whole run down.
void Minimizer::reduce_run() {
  make_explicit(first_.trace);
  leave_out_all();
  for (Size last = before_; best_.size < last && !over();) {
    last = best_.size;
    make_explicit(StoredTrace(best_.run));
    leave_out_all();
  }
}

void Minimizer::search() {
  if (over()) return;
  Schedule bare = bare_schedule(original_);
  smaller(bare);
  if (!same_finding_ && original_.seed != 0) {
    bare.seed = original_.seed;
    smaller(bare);
  }
  step_ = Step::one_order;
  const Minimal file = best_.is_file ? best_ : Minimal{original_, first_.trace, before_, true};
  try_one_order(promising_orders(first_.trace));
  if (explains(best_.schedule)) leave_out_all();
  const Minimal few = std::exchange(best_, file);
  step_ = Step::whole_run;
  reduce_run();
  if (!few.is_file && (!explains(best_.schedule) || few.size < best_.size)) best_ = few;
  if (!explains(best_.schedule)) make_explicit(StoredTrace(best_.run));  // one with fewer switches may be simple enough

  std::vector<Order> orders = promising_orders(best_.run);
  append(orders, promising_orders(first_.trace));
  merge(orders);
  step_ = Step::two_orders;
  try_one_order(orders);
  try_one_deviation();
  try_two_orders(orders);
  leave_out_all();
  step_ = Step::exchange;
  orders = orders_of_turns(best_.run);
  append(orders, open_orders(orders));
  merge(orders);
  exchange(orders);
  leave_out_all();
  step_ = Step::deviations;
  try_few_deviations();
  step_ = Step::data;
  leave_out_data();
  leave_out_all();
}

std::vector<std::string> Minimizer::not_tried() const {
  static constexpr const char* kSteps[] = {"each order alone", "less of the whole run", "two orders together", "one order in place of another", "few deviations from the usual run", "fewer data bytes"};
  if (!cut_) return {};
  return {std::begin(kSteps) + static_cast<ptrdiff_t>(cut_in_), std::end(kSteps)};
}

}  // namespace heddle::cli
