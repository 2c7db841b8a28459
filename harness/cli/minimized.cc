#include "harness/cli/minimized.h"

#include <chrono>

#include <fmt/format.h>

#include "harness/cli/applies.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/target_process.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

// The report of an input, from a process of its own, as the user would start it.
TargetResult report_of(const std::string& target, std::vector<uint8_t> input, const MinimizeLimits& limits) {
  const ScratchDirectory scratch;
  if (input.empty()) input = stand_in_for_empty();
  const std::string file = scratch.file("input"), saved = scratch.file("crash");
  write_file(file, input.data(), input.size());
  return run_target({.binary = target, .arguments = {file, "-exact_artifact_path=" + saved}, .heddle_options = options_of_readers(limits.known),
                     .timeout_seconds = limits.timeout});
}

}  // namespace

Minimized minimize(const std::string& target, const std::string& name, const std::vector<uint8_t>& input, const MinimizeLimits& limits,
                   const std::function<void(const Minimizer&)>& progress) {
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  TargetServer server(target, "known='" + limits.known + "'");
  Minimizer minimizer(server, {limits.executions, limits.seconds, limits.timeout * 1000}, progress);
  if (!minimizer.begin(input)) {
    Schedule schedule;
    decode_schedule(input, schedule);
    if (minimizer.first().has_trace && !applies(minimizer.first().trace, schedule)) {
      throw Failure(kNotApplicable, fmt::format("{}: the schedule does not apply to this build: the run reached none of the code positions that it names", name));
    }
    const std::string summary = summary_line(report_of(target, input, limits).output);
    if (summary.find(" leaked ") != std::string::npos) {
      throw Failure(kUsage, fmt::format("{}: {}: this command does not look for leaks", name, summary));
    }
    throw Failure(kUsage, fmt::format("{}: the run has no finding, so there is nothing to minimize", name));
  }
  minimizer.search();
  Minimized out;
  const Minimal& best = minimizer.best();
  out.input = best.is_file ? input : encode_schedule(best.schedule);
  out.before = minimizer.before();
  out.after = best.size;
  out.run = minimizer.first();
  out.run.trace = best.run;
  out.longest = minimizer.longest_seconds();
  out.spent = minimizer.seconds();
  out.mean = out.spent / static_cast<double>(minimizer.executions());
  out.executions = minimizer.executions();
  out.complete = minimizer.complete();
  out.judged_quickly = minimizer.judges_quickly();
  if (out.judged_quickly) {
    server.judge_spinning_quickly(false);
    out.after.operations = server.run(out.input, limits.timeout * 1000).trace.events.size();
  }
  const TargetResult result = report_of(target, out.input, limits);
  out.report = result.output;
  out.summary = summary_line(out.report);
  const uint64_t signature = signature_in(out.report);
  if (result.exit_code == 0 || signature != minimizer.first().signature) {
    throw Failure(kInternal, fmt::format("{}: the smallest input found does not show the finding in a process of its own (see heddle replay)", name));
  }
  out.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  return out;
}

}  // namespace heddle::cli
