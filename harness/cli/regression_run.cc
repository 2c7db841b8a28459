#include "harness/cli/regression_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "harness/cli/explicit_schedule.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/run_record.h"
#include "harness/cli/site_table.h"
#include "harness/cli/target_process.h"
#include "schema/codec.h"
#include "schema/request.h"

namespace heddle::cli {
namespace {

constexpr int kMostRounds = 4;

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() ? b : a + ":" + b;
}

// As the user would start it, so that the report has source lines.
TargetResult run_alone(const std::string& target, const std::vector<uint8_t>& input,
                       const std::string& options, unsigned timeout) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("input"), saved = scratch.file("crash");
  write_file(file, input.data(), input.size());
  return run_target({.binary = target,
                     .arguments = {file, "-exact_artifact_path=" + saved},
                     .heddle_options = joined(options, "known=''"),
                     .timeout_seconds = timeout});
}

// Executions in which threads only spin end soon. That verdict is quick, and no proof.
class QuickVerdict {
 public:
  QuickVerdict() : mine_(std::getenv(kQuickVerdictVariable) == nullptr) {
    if (mine_) setenv(kQuickVerdictVariable, "1", 1);
  }
  ~QuickVerdict() { end(); }
  QuickVerdict(const QuickVerdict&) = delete;
  QuickVerdict& operator=(const QuickVerdict&) = delete;
  // False: it holds for the whole command.
  bool end() {
    if (mine_) unsetenv(kQuickVerdictVariable);
    return mine_;
  }

 private:
  const bool mine_;
};

bool names_plain_accesses(const Regression& regression) {
  return std::any_of(regression.places.begin(), regression.places.end(),
                     [](const SourcePlace& place) { return place.kind == Kind::plain_read || place.kind == Kind::plain_write; });
}

// The run of the schedule so far can have another finding before it comes to the operations that are missing. Others come to them.
bool add_unreached_callers(const std::string& target, const Regression& regression, const Schedule& like, unsigned timeout, ReachedPlaces& reached,
                           OperationCallers& callers) {
  constexpr uint64_t kSeeds = 4;
  if (!regression.names_callers()) return false;
  Schedule schedule = bare_schedule(like);
  schedule.strategy = StrategyId::automatic;
  for (schedule.seed = 1; schedule.seed <= kSeeds; ++schedule.seed) learn_callers(target, encode_schedule(schedule), regression.options, timeout, reached, callers);
  return true;
}

}  // namespace

std::string server_options(const std::string& options_of_run) {
  return joined(options_of_run, kNothingKnown);
}

void explore(TargetServer& server, const Schedule& like, unsigned milliseconds,
             ReachedPlaces& reached) {
  constexpr uint64_t kSeeds = 8;
  Schedule schedule = bare_schedule(like);
  for (uint64_t seed = 0; seed <= kSeeds; ++seed) {
    if (seed == 1) schedule.strategy = StrategyId::automatic;
    schedule.seed = seed;
    const Execution execution = server.run(encode_schedule(schedule), milliseconds);
    if (execution.has_trace) reached.add(execution.trace);
    if (execution.timed_out && !execution.found) return;
  }
}

void learn_callers(const std::string& target, const std::vector<uint8_t>& input,
                   const std::string& options, unsigned timeout, ReachedPlaces& reached,
                   OperationCallers& callers) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("input");
  write_file(file, input.data(), input.size());
  try {
    const RunRecord run = record_run(target, file, timeout, options);
    reached.add(run.trace);
    name_places(target, reached);
    callers.add(run.trace, make_model(run.trace, run.words, {}), reached);
  } catch (const Failure&) {  // then the operations' own lines must do
  }
}

void add_plain_accesses(const std::string& target, ReachedPlaces& reached) {
  const PlainAccesses all = plain_accesses_of(target);
  for (const auto& [site, kind] : all.sites) reached.add(site, kind);
  reached.name(all.names);
}

void name_places(const std::string& target, ReachedPlaces& reached) {
  const std::vector<SiteId> unnamed = reached.unnamed();
  if (!unnamed.empty()) reached.name(sites_of(target, unnamed));
}

RegressionRun run_regression(const std::string& target, const std::string& file,
                             const Regression& regression, unsigned timeout) {
  RegressionRun out;
  out.places = regression.places.size();
  QuickVerdict quick;
  TargetServer server(target, server_options(regression.options));
  ReachedPlaces reached;
  OperationCallers callers;
  if (names_plain_accesses(regression)) add_plain_accesses(target, reached);
  BoundSchedule bound = bind(file, regression, reached, callers);
  bool looked_further = false;
  std::optional<size_t> shown;  // as many ordinary accesses were operations when it was explored
  // With each place that is found, the run comes nearer to the one that was saved, and reaches
  // more. On the way, it may have another finding.
  for (int round = 0; round < kMostRounds; ++round) {
    if (shown != bound.schedule.visible_plain.size()) {
      shown = bound.schedule.visible_plain.size();
      explore(server, bound.schedule, timeout * 1000, reached);
    }
    if (regression.names_callers())
      learn_callers(target, encode_schedule(bound.schedule), regression.options, timeout, reached,
                    callers);
    name_places(target, reached);
    bound = bind(file, regression, reached, callers);
    out.found = bound.found;
    if (round != 0 && encode_schedule(bound.schedule) == out.input) {
      if (std::exchange(looked_further, true)) break;
      if (!add_unreached_callers(target, regression, bound.schedule, timeout, reached, callers)) break;
      bound = bind(file, regression, reached, callers);
      out.found = bound.found;
    }
    out.input = encode_schedule(bound.schedule);
    out.execution = server.run(out.input, timeout * 1000);
    if (out.execution.has_trace) reached.add(out.execution.trace);
    const bool same = out.execution.found && out.execution.signature == regression.signature;
    // Which operation comes from which caller is known of what this run shows: of what it made visible, too.
    if (same || (bound.exact == out.places && !regression.names_callers())) break;
  }
  if (!out.applies()) return out;
  const bool is_guess = quick.end() && out.execution.found && out.execution.only_spins;
  const TargetResult alone = run_alone(target, out.input, regression.options, timeout);
  if (is_guess) {
    out.execution.found = false;
    out.execution.signature = signature_in(alone.output);
  }
  // What the server does not see: a leak that only the engine looks for.
  out.execution.found = out.execution.found || alone.exit_code != 0 || alone.timed_out;
  if (out.execution.found) out.report = alone.output;
  return out;
}

}  // namespace heddle::cli
