// heddle check: runs regression tests. They pass when their bugs are fixed.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "harness/cli/applies.h"
#include "harness/cli/commands.h"
#include "harness/cli/damaged.h"
#include "harness/cli/files.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/regression_run.h"
#include "harness/cli/target_file.h"
#include "harness/cli/target_process.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

struct Arguments {
  std::string target;
  std::vector<std::string> files;
  unsigned timeout = 60;
};

// A saved input as it is, without places.
RegressionRun run_input(const std::string& target, const std::vector<uint8_t>& input,
                        unsigned timeout, bool& applicable) {
  RegressionRun out;
  TargetServer server(target, server_options({}));
  out.execution = server.run(input, timeout * 1000);
  Schedule schedule;
  decode_schedule(input, schedule);
  applicable =
      out.execution.found || !out.execution.has_trace || applies(out.execution.trace, schedule);
  const ScratchDirectory scratch;
  const std::string file = scratch.file("input");
  const auto given = input.empty() ? stand_in_for_empty() : input;
  write_file(file, given.data(), given.size());
  const TargetResult alone =
      run_target({.binary = target,
                  .arguments = {file, "-exact_artifact_path=" + scratch.file("crash")},
                  .heddle_options = "known=''",
                  .timeout_seconds = timeout});
  // What the server does not see: a leak that only the engine looks for.
  out.execution.found = out.execution.found || alone.exit_code != 0 || alone.timed_out;
  if (out.execution.found) out.report = alone.output;
  return out;
}

int check_one(const Arguments& arguments, const std::string& file) {
  const auto bytes = read_file(file);
  RegressionRun run;
  bool applicable = true;
  uint64_t signature = 0;
  if (is_regression(bytes)) {
    const Regression regression =
        regression_from_text(file, std::string(bytes.begin(), bytes.end()));
    run = run_regression(arguments.target, file, regression, arguments.timeout);
    applicable = run.applies();
    signature = regression.signature;
  } else {
    run = run_input(arguments.target, bytes, arguments.timeout, applicable);
    if (!run.execution.found) refuse_damaged(file, bytes);
  }
  if (!applicable) {
    print(fmt::format(
        "{}: does not apply to this build: it has none of the operations that the schedule names\n",
        file));
    return kNotApplicable;
  }
  if (run.execution.found) {
    const std::string summary = summary_line(run.report);
    const std::string report = with_replay(run.report, fmt::format("heddle check {} {}", arguments.target, file));
    print(fmt::format("{}{}: fails: {}{}\n", report, file,
                      summary.empty() ? "no report" : summary,
                      signature != 0 && run.execution.signature != signature
                          ? " (another signature than when it was promoted)"
                          : ""));
    return kFinding;
  }
  print(fmt::format(
      "{}: passes{}\n", file,
      run.found == run.places
          ? ""
          : fmt::format(
                " ({} of its {} operations are not in this build, so it may test less than it did)",
                run.places - run.found, run.places)));
  return kPass;
}

// Findings have precedence: 1 if any file has one, else 125 if one file does not apply.
int check_files(const Arguments& arguments) {
  require_heddle(arguments.target);
  int worst = kPass;
  for (const std::string& file : arguments.files) {
    const int code = check_one(arguments, file);
    if (worst != kFinding && code != kPass) worst = code;
  }
  return worst;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("check", "Run regression tests: they pass when their bugs are fixed");
  command->add_option("TARGET", arguments->target, "the fuzz target")->required();
  command
      ->add_option("FILE", arguments->files, "regression tests of heddle promote, or saved inputs")
      ->required();
  command->add_option("--timeout", arguments->timeout, "time limit for one execution, in seconds")
      ->capture_default_str()
      ->check(CLI::Range(1, 86400));
  command->callback([arguments, &exit_code] { exit_code = check_files(*arguments); });
}

}  // namespace heddle::cli
