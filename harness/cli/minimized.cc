#include "harness/cli/minimized.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/cli/applies.h"
#include "harness/cli/damaged.h"
#include "harness/cli/deadline.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/target_process.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

// The report of an input, from a process of its own, as the user would start it.
// `operations`: those of the run, if it is recorded.
TargetResult report_of(const std::string& target, std::vector<uint8_t> input, const MinimizeLimits& limits, size_t* operations = nullptr) {
  const ScratchDirectory scratch;
  if (input.empty()) input = stand_in_for_empty();
  const std::string file = scratch.file("input"), saved = scratch.file("crash"), recorded = scratch.file("trace");
  write_file(file, input.data(), input.size());
  const std::string recording = operations != nullptr ? fmt::format(":trace_path='{}'", recorded) : "";
  TargetResult out = run_target({.binary = target, .arguments = {file, "-exact_artifact_path=" + saved},
                                 .heddle_options = options_of_readers(limits.known) + recording, .timeout_seconds = limits.timeout});
  StoredTrace trace;
  if (operations != nullptr && std::filesystem::exists(recorded) && decode_trace(read_file(recorded), trace)) *operations = trace.events.size();
  return out;
}

}  // namespace

std::string not_tried_text(const std::vector<std::string>& what, unsigned seconds) {
  if (what.empty()) return {};
  std::string out = fmt::format("  time was short (more: --seconds {}), so not tried, or not to its end: ", 2 * seconds);
  for (const std::string& one : what) out += (&one == &what.front() ? "" : "; ") + one;
  return out + "\n";
}

Minimized minimize(const std::string& target, const std::string& name, const std::vector<uint8_t>& input, const MinimizeLimits& limits,
                   const std::function<void(const Minimizer&)>& progress) {
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  std::optional<Deadline> of_search(std::in_place, limits.share_of_search * Deadline::left());
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
      throw Failure(kUsage, fmt::format("{}: {}: this command does not look for leaks. Keep the file as it is: heddle check {} {} tests it", name, summary, target, name));
    }
    refuse_damaged(name, input);
    throw Failure(kUsage, fmt::format("{}: the run has no finding: it is fixed, or the input was saved by another target or with other HEDDLE_OPTIONS", name));
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
  out.late = minimizer.late();
  out.not_tried = minimizer.not_tried();
  out.judged_quickly = minimizer.judges_quickly();
  of_search.reset();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  const double before_report = passed();
  TargetResult result;
  try {
    result = report_of(target, out.input, limits, out.judged_quickly ? &out.after.operations : nullptr);
  } catch (const OutOfTime&) {
    out.of_report = passed() - before_report;
    out.shown_alone = false;
    out.summary = "there was no time for its report";
    out.seconds = passed();
    return out;
  }
  out.of_report = passed() - before_report;
  out.report = result.output;
  out.summary = summary_line(out.report);
  const uint64_t signature = signature_in(out.report);
  if (result.exit_code == 0 || signature != minimizer.first().signature) {
    throw Failure(kInternal, fmt::format("{}: the smallest input found does not show the finding in a process of its own (see heddle replay)", name));
  }
  out.seconds = passed();
  return out;
}

}  // namespace heddle::cli
