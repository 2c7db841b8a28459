// heddle minimize: the smallest input with the same finding.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/deadline.h"
#include "harness/cli/files.h"
#include "harness/cli/minimized.h"
#include "harness/cli/progress_line.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/target_file.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {
namespace {

struct Arguments {
  std::string target, file, output;
  MinimizeLimits limits;
  bool table = true;
};

std::string row(const char* name, size_t before, size_t after) { return fmt::format("  {:<16}{:>8}{:>8}\n", name, before, after); }

int minimize_file(const Arguments& arguments) {
  const Deadline deadline(Deadline::of_command(arguments.limits.seconds));
  require_heddle(arguments.target);
  const auto input = read_file(arguments.file);
  const std::string output = arguments.output.empty() ? arguments.file + ".min" : arguments.output;
  require_output(output, {arguments.file});
  Progress progress("heddle minimize");
  const Minimized result = minimize(arguments.target, arguments.file, input, arguments.limits, [&](const Minimizer& search) {
    progress.show(fmt::format("{} executions, {} thread switches, {} constraints", search.executions(), search.best().size.switches,
                              search.best().size.constraints));
  });
  progress.clear();
  write_file(output, result.input.data(), result.input.size());
  std::string text = fmt::format("{}: {}\n  {:<16}{:>8}{:>8}\n", arguments.file, result.summary, "", "before", "after");
  text += row("thread switches", result.before.switches, result.after.switches);
  text += row("constraints", result.before.constraints, result.after.constraints);
  text += row("data bytes", result.before.data, result.after.data);
  text += row("operations", result.before.operations, result.after.operations);
  text += fmt::format("  {} executions in {:.1f} s{}\n", result.executions, result.seconds,
                      result.complete ? "" : ": stopped by --executions or --seconds, so it may not be the smallest one");
  if (result.late) text += not_tried_text(result.not_tried, arguments.limits.seconds);
  if (!result.shown_alone) text += "  it was not tried in a process of its own (heddle replay does that)\n";
  if (arguments.table && result.shown_alone) text += "\n" + interleaving_of(result.report);
  text += fmt::format("\nwritten to {}\n", output);
  print(text);
  return kPass;
}

}  // namespace

void add_minimize(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("minimize", "Write the smallest input with the same finding");
  command->add_option("TARGET", arguments->target, "the fuzz target")->required();
  command->add_option("FILE", arguments->file, "a saved input, such as crash-...")->required();
  command->add_option("-o,--output", arguments->output, "write to this file (default: FILE.min)");
  command->add_option("--executions", arguments->limits.executions, "number of executions, at most")->capture_default_str()->check(CLI::Range(1, 100'000'000));
  command->add_option("--seconds", arguments->limits.seconds, "stop after this number of seconds of processor time, or 1.5 times as many of real time")->capture_default_str()->check(CLI::Range(1, 86400));
  command->add_option("--timeout", arguments->limits.timeout, "time limit for one execution, in seconds")->capture_default_str()->check(CLI::Range(1, 86400));
  command->add_flag("!--no-table", arguments->table, "do not print the interleaving");
  command->callback([arguments, &exit_code] { exit_code = minimize_file(*arguments); });
}

}  // namespace heddle::cli
