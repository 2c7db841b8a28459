#include "harness/cli/repaired.h"

#include <fmt/format.h>

#include "harness/cli/deadline.h"
#include "harness/cli/regression_run.h"
#include "harness/cli/search_clock.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

std::vector<Condition> conditions_in(const Schedule& schedule) {
  std::vector<Condition> out;
  for (const Delay& delay : schedule.delays) out.emplace_back(Order{delay.until, delay.what});
  for (const SelectPreference& choice : schedule.selects) out.emplace_back(choice);
  for (const ReadsFrom& reads : schedule.reads_from) out.emplace_back(reads);
  return out;
}

// Of the build that has the finding, as it is in the repaired one. None: a wait is not there any more.
std::optional<LastWake> wake_in(const LastWake& wake, const ReachedPlaces& reached, const ReachedPlaces& there) {
  const auto position = [&](SiteId site) {
    SourcePlace place;
    bool exact;
    return reached.place_of(site, Kind::cond_wake, place) ? there.find(place, exact) : kNoSite;
  };
  LastWake out = wake;
  out.woken = position(wake.woken);
  out.passed_over = position(wake.passed_over);
  if (out.woken == kNoSite || out.passed_over == kNoSite) return std::nullopt;
  return out;
}

// The handler has the position of the operation that it comes before.
std::optional<Order> interruption_in(const Condition& condition, const ReachedPlaces& reached, const ReachedPlaces& there) {
  if (!is_interruption(condition)) return std::nullopt;
  Order out = std::get<Order>(condition);
  SourcePlace place;
  bool exact;
  const SiteId site = reached.place_of(out.second.site, out.second.kind, place) ? there.find(place, exact) : kNoSite;
  out.first.site = out.second.site = site;
  return site == kNoSite ? std::nullopt : std::optional(out);
}

const Event* event_of(const StoredTrace& run, const Element& element) {
  for (const Event& e : run.events) {
    if (e.site == element.site && e.occurrence == element.occurrence && e.kind == element.kind &&
        run.threads[e.thread].id == element.thread)
      return &e;
  }
  return nullptr;
}

enum class Objects : uint8_t { unknown, one, two };

Objects objects_of(const StoredTrace& run, const Condition& condition) {
  const Order* const order = std::get_if<Order>(&condition);
  if (order == nullptr) return Objects::unknown;
  const Event* const first = event_of(run, order->first);
  const Event* const second = event_of(run, order->second);
  if (first == nullptr || second == nullptr || first->object == 0 || second->object == 0)
    return Objects::unknown;
  return first->object == second->object ? Objects::one : Objects::two;
}

// What the conditions of the explanation are about, in the order of conditions_in().
std::vector<Objects> objects_in(const StoredTrace& finding, const Explanation& explanation) {
  Schedule demanded;
  demand(explanation.conditions, demanded);
  std::vector<Objects> out;
  for (const Condition& condition : conditions_in(demanded))
    out.push_back(objects_of(finding, condition));
  return out;
}

// Which operation of a wrapper is meant depends on the run: several, and at last the one that comes
// nearest to the finding's.
OperationCallers callers_in(const std::string& target, const Regression& by_lines,
                            const Schedule& like, const ExplainLimits& limits, ReachedPlaces& there) {
  constexpr uint64_t kSeeds = 2;
  OperationCallers out;
  if (!by_lines.names_callers()) return out;
  const auto learn = [&](const Schedule& schedule) {
    learn_callers(target, encode_schedule(schedule), "", limits.milliseconds / 1000, there, out);
  };
  Schedule bare = bare_schedule(like);
  for (uint64_t seed = 0; seed <= kSeeds; ++seed) {
    if (seed == 1) bare.strategy = StrategyId::automatic;
    bare.seed = seed;
    learn(bare);
  }
  learn(cli::bind(target, by_lines, there, out).schedule);
  return out;
}

}  // namespace

RepairedRuns run_repaired(const std::string& target, const Explanation& explanation,
                          const Schedule& schedule, const StoredTrace& finding,
                          const ReachedPlaces& reached, const OperationCallers& callers,
                          const ExplainLimits& limits) {
  Schedule demanded = without_order(schedule);
  demanded.visible_plain = schedule.visible_plain;
  demand(explanation.conditions, demanded);
  Regression by_lines;
  by_lines.set_schedule(demanded, reached, callers);
  TargetServer server(target, server_options(""));
  ReachedPlaces there;
  explore(server, demanded, limits.milliseconds, there);
  name_places(target, there);
  const OperationCallers callers_there = callers_in(target, by_lines, demanded, limits, there);
  const BoundSchedule bound = cli::bind(target, by_lines, there, callers_there);
  std::vector<Condition> conditions = conditions_in(bound.schedule);
  for (const Condition& condition : explanation.conditions) {
    const LastWake* const wake = std::get_if<LastWake>(&condition);
    const auto same = wake != nullptr ? wake_in(*wake, reached, there) : std::nullopt;
    if (same) conditions.push_back(*same);
    if (const auto order = interruption_in(condition, reached, there)) conditions.push_back(*order);
  }
  Schedule free = without_order(bound.schedule);
  free.visible_plain = bound.schedule.visible_plain;

  const std::vector<Objects> objects = objects_in(finding, explanation);

  RepairedRuns out{.conditions = explanation.conditions.size(), .known = conditions.size()};
  constexpr size_t kLeastRuns = 10;
  RunIndex::Doers doers;
  const SearchClock clock(server, limits.seconds);
  const double enough = limits.seconds;
  for (uint64_t seed = 1; seed <= limits.runs; ++seed) {
    const double passed = clock.seconds();
    if (passed > enough && (out.runs >= kLeastRuns || passed > 2 * enough)) break;
    const bool demands = seed % 2 != 0 && can_be_demanded(explanation.conditions);
    Schedule next = demands ? bound.schedule : free;
    next.seed = seed;
    Execution run;
    try {
      run = server.run(encode_schedule(next), limits.milliseconds);
    } catch (const OutOfTime&) {
      if (out.runs == 0) throw;
      break;
    }
    ++out.runs;
    out.demanded += demands;
    out.findings += run.found;
    if (!run.has_trace || out.known < out.conditions) continue;
    const RunIndex index(run.trace, run.found);
    out.reached += std::all_of(conditions.begin(), conditions.end(),
                               [&](const Condition& c) { return index.reached(c); });
    doers.add(index);
    const bool holds = explanation.for_some_threads ? index.holds_for_some_threads(conditions, doers) : index.holds(conditions);
    if (!holds) continue;
    bool elsewhere = false;
    for (size_t i = 0; i < conditions.size() && i < objects.size() && !explanation.for_some_threads; ++i) {
      elsewhere = elsewhere || (objects[i] == Objects::one &&
                                objects_of(run.trace, conditions[i]) == Objects::two);
    }
    ++(elsewhere ? out.elsewhere : out.held);
    out.held_if_demanded += demands && !elsewhere;
  }
  return out;
}

std::string repaired_text(const std::string& target, const RepairedRuns& r) {
  std::string out = fmt::format("In {}: ", target);
  if (r.known < r.conditions)
    out += fmt::format("the operations of {} of {} conditions are not there any more",
                       r.conditions - r.known, r.conditions);
  else if (r.held != 0 && r.demanded == 0)
    out += fmt::format("it was so in {} of {} executions", r.held, r.runs);
  else if (r.held != 0)
    out += fmt::format("it was so in {} of {} executions that demand it, and in {} of {} others",
                       r.held_if_demanded, r.demanded, r.held - r.held_if_demanded, r.runs - r.demanded);
  else if (r.elsewhere != 0)
    out += fmt::format(
        "it was never so, in {} executions with these operations: they are on different objects",
        r.reached);
  else if (r.reached != 0)
    out += fmt::format("it was never so, in {} executions with these operations", r.reached);
  else
    out += fmt::format("none of {} executions had all of these operations", r.runs);
  return out + fmt::format("; {} of {} had a finding.\n", r.findings, r.runs);
}

}  // namespace heddle::cli
