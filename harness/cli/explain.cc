// heddle explain: which order of operations decides whether a saved input's finding comes.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/deadline.h"
#include "harness/cli/explainer.h"
#include "harness/cli/explanation_text.h"
#include "harness/cli/files.h"
#include "harness/cli/minimized.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/progress_line.h"
#include "harness/cli/regression_run.h"
#include "harness/cli/repaired.h"
#include "harness/cli/run_record.h"
#include "harness/cli/site_table.h"
#include "harness/cli/target_file.h"
#include "schema/codec.h"
#include "schema/request.h"

namespace heddle::cli {
namespace {

struct Arguments {
  std::string target, file, repaired;
  MinimizeLimits minimizing;
  ExplainLimits limits;
};

// As if a run had reached them.
StoredTrace operations_of(const Explanation& explanation) {
  Schedule demanded;
  demand(explanation.conditions, demanded);
  StoredTrace out;
  const auto add = [&](SiteId site, Kind kind) {
    Event event = {};
    event.site = site;
    event.kind = kind;
    out.events.push_back(event);
  };
  for (const Condition& condition : explanation.conditions) {
    const LastWake* const wake = std::get_if<LastWake>(&condition);
    if (is_interruption(condition))
      add(std::get<Order>(condition).second.site, std::get<Order>(condition).second.kind);
    if (wake == nullptr) continue;
    add(wake->woken, Kind::cond_wake);
    add(wake->passed_over, Kind::cond_wake);
  }
  for (const Delay& delay : demanded.delays) {
    add(delay.what.site, delay.what.kind);
    add(delay.until.site, delay.until.kind);
  }
  for (const SelectPreference& choice : demanded.selects) add(choice.site, choice.kind);
  for (const ReadsFrom& reads : demanded.reads_from) {
    add(reads.read.site, reads.read.kind);
    add(reads.write.site, reads.write.kind);
  }
  return out;
}

std::string in_repaired(const Arguments& arguments, const Explanation& explanation,
                        const std::vector<uint8_t>& input, const Schedule& schedule,
                        const Execution& finding, const ExplainLimits& limits) {
  if (arguments.repaired.empty() || explanation.conditions.empty()) return {};
  ReachedPlaces reached;
  reached.add(finding.trace);
  reached.add(operations_of(explanation));
  OperationCallers callers;
  try {
    TargetServer server(arguments.target, server_options(""));
    explore(server, schedule, limits.milliseconds, reached);
    name_places(arguments.target, reached);
    learn_callers(arguments.target, input, "", arguments.minimizing.timeout, reached, callers);
    return "\n" +
           repaired_text(arguments.repaired, run_repaired(arguments.repaired, explanation, schedule,
                                                          finding.trace, reached, callers, limits));
  } catch (const Failure& failure) {  // the explanation itself is there
    return fmt::format("\nIn {}: not tried: {}\n", arguments.repaired, failure.what());
  }
}

struct Places {
  SiteNames names;
  OperationPlaces in_run;  // without them the operations have their sites' names
};

// From one execution of the input, which takes as long as its report did. Another one can take much
// longer.
Places places_of(const std::vector<SiteId>& sites, const Arguments& arguments,
                 const std::vector<uint8_t>& input) {
  if (sites.empty()) return {};
  const ScratchDirectory scratch;
  const std::string file = scratch.file("input");
  write_file(file, input.data(), input.size());
  try {
    constexpr double kShare =
        0.7;  // of the time that is left: a long run is quickly made, but takes long to record
    const Deadline deadline(kShare * Deadline::left());
    SiteTableRequest table(sites);
    const RunRecord record =
        record_run(arguments.target, file, arguments.minimizing.timeout, table.options());
    return {parse_site_table(table.answer()), {record.trace, make_model(record.trace, record.words, {})}};
  } catch (const Failure&) {
    return {sites_of(arguments.target, sites, file), {}};
  }
}

// Source lines, and the repaired build: these start the target anew, as the report did.
double time_for_end(const Minimized& small, const Arguments& arguments) {
  constexpr double kReports = 3, kLeast = 0.5, kMost = 0.4;
  constexpr double kOfOperation = 1e-4;  // to record it in words
  const double repaired = arguments.repaired.empty() ? 0 : 0.2 * Deadline::left();
  return std::min(kMost * Deadline::left(),
                  repaired + kLeast + kReports * small.of_report +
                      kOfOperation * static_cast<double>(small.run.trace.events.size()));
}

int explain_file(const Arguments& arguments) {
  Deadline deadline(Deadline::of_command(arguments.limits.seconds));
  require_heddle(arguments.target);
  if (!arguments.repaired.empty()) require_heddle(arguments.repaired);
  const auto saved = read_file(arguments.file);
  const auto begun = std::chrono::steady_clock::now();
  Progress progress("heddle explain");
  const Minimized small = minimize(
      arguments.target, arguments.file, saved, arguments.minimizing, [&](const Minimizer& search) {
        progress.show(fmt::format("minimizing: {} executions", search.executions()));
      });
  if (small.judged_quickly) setenv(kQuickVerdictVariable, "1", 1);  // for all targets from here on
  TargetServer server(arguments.target);
  Schedule schedule;
  decode_schedule(small.input, schedule);
  Execution finding = small.run;
  ExplainLimits limits = arguments.limits;
  limits.milliseconds = arguments.minimizing.timeout * 1000;
  limits.longest = small.longest;
  limits.mean = small.mean;
  const unsigned of_repaired = arguments.repaired.empty() ? 0 : limits.seconds / 4;
  limits.seconds -= of_repaired;
  limits.seconds -= std::min(limits.seconds / 2, static_cast<unsigned>(small.spent));
  const double for_end = time_for_end(small, arguments);
  const Explanation explanation = [&] {
    const Deadline of_search(Deadline::left() - for_end);
    Explainer explainer(server, schedule, finding, limits, [&](size_t executions) {
      progress.show(fmt::format("{} executions", executions));
    });
    return explainer.explain();
  }();
  // An explanation without source lines helps nobody.
  constexpr double kBusy = 2;
  deadline.last_at_least(kBusy * for_end);
  std::vector<uint8_t> input = small.input;
  std::vector<std::string> not_tried = untried_words(explanation, limits.runs);
  Places places;
  try {
    if (explanation.visible_plain != schedule.visible_plain) {
      schedule.visible_plain = explanation.visible_plain;
      input = encode_schedule(schedule);
      finding = server.run(input, arguments.minimizing.timeout * 1000);
    }
    progress.show("looking up source lines");
    places = places_of(sites_in(explanation), arguments, input);
  } catch (const OutOfTime&) {
    not_tried.emplace_back("looking up the source lines");
  }
  limits.seconds = std::max(1u, of_repaired);
  const std::string repaired =
      in_repaired(arguments, explanation, input, schedule, finding, limits);
  progress.clear();
  std::string text = fmt::format("{}: {}\n\n{}", arguments.file, small.summary,
                                 explanation_text(explanation, places.names, places.in_run));
  if (small.run.only_spins) text += "\n" + what_happened(small.report);
  text += repaired;
  text += fmt::format(
      "  {} executions in {:.1f} s{}\n", small.executions + explanation.executions,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(),
      explanation.complete ? "" : ": stopped by --seconds, so there may be a better explanation");
  text += not_tried_text(not_tried, arguments.limits.seconds);
  print(text);
  return kPass;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "explain", "Say which order of operations decides whether the finding comes");
  command->add_option("TARGET", arguments->target, "the fuzz target")->required();
  command->add_option("FILE", arguments->file, "a saved input, such as crash-...")->required();
  command->add_option("--repaired", arguments->repaired,
                      "a build of the target after a repair: can it still be so there?");
  command->add_option("--runs", arguments->limits.runs, "number of executions for each count")
      ->capture_default_str()
      ->check(CLI::Range(10, 1'000'000));
  command
      ->add_option("--seconds", arguments->limits.seconds,
                   "stop after this number of seconds of processor time, or 1.5 times as many of "
                   "real time, and minimizing after a third of that")
      ->capture_default_str()
      ->check(CLI::Range(1, 86400));
  command
      ->add_option("--timeout", arguments->minimizing.timeout,
                   "time limit for one execution, in seconds")
      ->capture_default_str()
      ->check(CLI::Range(1, 86400));
  command->callback([arguments, &exit_code] {
    arguments->minimizing.seconds = std::max(1u, arguments->limits.seconds / 3);
    arguments->minimizing.share_of_search = 0.3;
    exit_code = explain_file(*arguments);
  });
}

}  // namespace heddle::cli
