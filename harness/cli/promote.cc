// heddle promote: a saved input as a regression test that can be checked in.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "harness/cli/commands.h"
#include "harness/cli/deadline.h"
#include "harness/cli/explicit_schedule.h"
#include "harness/cli/files.h"
#include "harness/cli/minimized.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/progress_line.h"
#include "harness/cli/regression_run.h"
#include "harness/cli/target_file.h"
#include "harness/cli/target_process.h"
#include "schema/codec.h"
#include "schema/request.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string target, file, name, output;
  MinimizeLimits limits;
};

// It becomes the name of a file and of a test.
void check_name(const std::string& name) {
  const auto good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  if (name.empty() || name.front() == '.' || name.front() == '-' ||
      !std::all_of(name.begin(), name.end(), good)) {
    throw Failure(kUsage, fmt::format("--name {}: use letters, digits, '_', '-' and '.'", name));
  }
}

// "deadlock queue.cc:41:3 in push", without directories.
std::string about(const std::string& summary) {
  const std::string place = place_in_summary(summary);
  const size_t slash = place.substr(0, place.find(' ')).rfind('/');
  return fmt::format("{} {}", kind_in_summary(summary),
                     slash == std::string::npos ? place : place.substr(slash + 1));
}

std::string output_of(const Arguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  const fs::path directory = fs::path("regressions") / fs::path(arguments.target).filename();
  return (directory / (arguments.name + ".heddle")).string();
}

void make_directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  std::error_code error;
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error)
    throw Failure(kUsage, fmt::format("cannot create {}: {}", parent.string(), error.message()));
}

// What the program does in other runs is not needed to name the operations of this one.
void explore_in_time(TargetServer& server, const Schedule& like, unsigned milliseconds,
                     ReachedPlaces& reached) {
  constexpr double kShare = 0.3;
  const Deadline deadline(kShare * Deadline::left());
  try {
    explore(server, like, milliseconds, reached);
  } catch (const OutOfTime&) {
  }
}

// What the regression test does here. Null: there was no time.
std::optional<RegressionRun> try_test(const Arguments& arguments, const std::string& output,
                                      const Regression& regression) {
  const std::string text = regression_to_text(regression);
  try {
    return run_regression(arguments.target, output, regression_from_text(output, text),
                          arguments.limits.timeout);
  } catch (const OutOfTime&) {  // the output says so
    return std::nullopt;
  }
}

bool shows(const RegressionRun& run, const Regression& regression) {
  return run.execution.found && run.execution.signature == regression.signature;
}

// Without an order. If need be, with the ordinary accesses that it makes visible.
std::optional<Schedule> shown_by_a_seed(TargetServer& server, const Schedule& like,
                                        uint64_t signature, unsigned milliseconds) {
  constexpr uint64_t kSeeds = 1000;
  constexpr double kShare = 0.5;
  const Deadline deadline(kShare * Deadline::left());
  Schedule out = bare_schedule(like);
  out.strategy = StrategyId::automatic;
  try {
    for (const bool with_accesses : {false, true}) {
      out.visible_plain.clear();
      if (with_accesses) out.visible_plain = like.visible_plain;
      const uint64_t last = with_accesses && out.visible_plain.empty() ? 0 : kSeeds;
      for (out.seed = 1; out.seed <= last; ++out.seed) {
        const Execution execution = server.run(encode_schedule(out), milliseconds);
        if (execution.found && execution.signature == signature) return out;
      }
    }
  } catch (const OutOfTime&) {
  }
  return std::nullopt;
}

int promote(const Arguments& arguments) {
  check_name(arguments.name);
  Deadline deadline(Deadline::of_command(arguments.limits.seconds));
  require_heddle(arguments.target);
  const std::string output = output_of(arguments);
  std::error_code error;
  if (fs::exists(output, error) && !fs::is_directory(output, error) && !fs::is_character_file(output, error))
    throw Failure(kUsage,
                  fmt::format("{} is already there: choose another --name, or remove it", output));
  const auto input = read_file(arguments.file);
  const fs::path parent = fs::path(output).parent_path();
  if (parent.empty() || fs::exists(parent, error)) require_output(output, {});
  Progress progress("heddle promote");
  const Minimized small = minimize(
      arguments.target, arguments.file, input, arguments.limits, [&](const Minimizer& search) {
        progress.show(fmt::format("minimizing: {} executions", search.executions()));
      });

  if (!small.shown_alone)
    throw Failure(kInternal, fmt::format("there was not enough time for one execution after "
                                         "minimizing (more: --seconds {})",
                                         2 * arguments.limits.seconds));
  if (small.judged_quickly) setenv(kQuickVerdictVariable, "1", 1);  // for all targets from here on
  // Without the names of its positions there is no test.
  constexpr double kReports = 4, kLeast = 1;
  deadline.last_at_least(kLeast + kReports * small.of_report);
  Regression regression;
  const char* const options = std::getenv("HEDDLE_OPTIONS");
  regression.options = Regression::options_of_run(options != nullptr ? options : "");
  regression.about = about(small.summary);
  regression.signature = signature_in(small.report);
  Schedule schedule;
  decode_schedule(small.input, schedule);
  ReachedPlaces reached;
  TargetServer server(arguments.target, server_options(regression.options));
  explore_in_time(server, schedule, arguments.limits.timeout * 1000, reached);
  const Execution execution = server.run(small.input, arguments.limits.timeout * 1000);
  if (execution.has_trace) reached.add(execution.trace);
  OperationCallers callers;
  learn_callers(arguments.target, small.input, regression.options, arguments.limits.timeout,
                reached, callers);
  name_places(arguments.target, reached);
  if (!schedule.visible_plain.empty()) add_plain_accesses(arguments.target, reached);
  regression.set_schedule(schedule, reached, callers);
  progress.show("trying the regression test");
  std::optional<RegressionRun> run = try_test(arguments, output, regression);
  bool positions_lost = false;
  if (run && !shows(*run, regression)) {
    positions_lost = true;
    const auto seed = shown_by_a_seed(server, schedule, regression.signature, arguments.limits.timeout * 1000);
    if (seed) {
      schedule = *seed;
      regression.set_schedule(schedule, reached, callers);
      run = try_test(arguments, output, regression);
    }
    if (!seed || (run && !shows(*run, regression))) {
      throw Failure(kInternal,
                    fmt::format("{}: the schedule does not show the finding when its positions are "
                                "taken from the source, and no seed was found that does. Keep the "
                                "file as it is: heddle check {} {} tests it with this build",
                                arguments.file, arguments.target, arguments.file));
    }
  }
  progress.clear();
  const std::string text = regression_to_text(regression);
  make_directory_of(output);
  write_file(output, text.data(), text.size());
  std::string said = fmt::format("{}: {}\n", arguments.file, small.summary);
  const size_t constraints = constraints_of(schedule, 1);  // a seed is one
  said += fmt::format("  {} constraint{} at {} position{} of the source\n", constraints,
                      constraints == 1 ? "" : "s", regression.places.size(),
                      regression.places.size() == 1 ? "" : "s");
  if (schedule.strategy != StrategyId::nonpreemptive) {
    said += fmt::format(
        "  it depends on a seed, because {}: after changes of the code, it may pass without a "
        "repair\n",
        positions_lost ? "the positions of its schedule are not found again by their source lines"
                       : "no explicit order shows the finding");
  }
  if (small.late) said += not_tried_text(small.not_tried, arguments.limits.seconds);
  if (!run)
    said += fmt::format(
        "  time was short (more: --seconds {}), so it was not tried: run it once before you check "
        "it in\n",
        2 * arguments.limits.seconds);
  said += fmt::format("written to {}\nto run it: heddle check {} {}\n", output, arguments.target,
                      output);
  print(said);
  return kPass;
}

}  // namespace

void add_promote(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("promote", "Make a regression test of a saved input");
  command->add_option("TARGET", arguments->target, "the fuzz target")->required();
  command->add_option("FILE", arguments->file, "a saved input, such as crash-...")->required();
  command->add_option("--name", arguments->name, "name of the test")->required();
  command->add_option("-o,--output", arguments->output,
                      "write to this file (default: regressions/TARGET/NAME.heddle)");
  command
      ->add_option("--executions", arguments->limits.executions,
                   "number of executions for minimizing, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000'000));
  command
      ->add_option("--seconds", arguments->limits.seconds,
                   "stop minimizing after this number of seconds of processor time, and all of it "
                   "after 1.5 times as many of real time")
      ->capture_default_str()
      ->check(CLI::Range(1, 86400));
  command
      ->add_option("--timeout", arguments->limits.timeout,
                   "time limit for one execution, in seconds")
      ->capture_default_str()
      ->check(CLI::Range(1, 86400));
  arguments->limits.share_of_search = 0.7;
  command->callback([arguments, &exit_code] { exit_code = promote(*arguments); });
}

}  // namespace heddle::cli
