// heddle replay: is the run of a saved input the same every time? If not, what does it depend on?
//
// The input runs in fresh processes with random addresses, in fresh processes with fixed addresses, and several times in
// one process. If the runs agree only with fixed addresses, they depend on addresses. If a repeated run differs from the
// fresh ones, it depends on earlier executions.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <sstream>

#include "harness/cli/applies.h"
#include "harness/cli/commands.h"
#include "harness/cli/damaged.h"
#include "harness/cli/files.h"
#include "harness/cli/site_table.h"
#include "harness/cli/target_file.h"
#include "harness/cli/target_process.h"
#include "schema/codec.h"
#include "schema/trace_file.h"

namespace heddle::cli {
namespace {

struct Arguments {
  std::string target;
  std::vector<std::string> files;
  std::string file;  // the one that is being replayed
  unsigned runs = 5, timeout = 60;
  bool report = false;
};

struct Replay {
  StoredTrace trace;
  TargetResult result;
  uint64_t hash = 0;
};

class Replayer {
 public:
  explicit Replayer(const Arguments& arguments) : arguments_(arguments) {}

  Replay run(bool randomise, unsigned times, const std::string& options = {}) { return run_file(arguments_.file, randomise, times, options); }

  // The same schedule under another memory model.
  Replay run_under_sc(std::span<const uint8_t> input) {
    Schedule schedule;
    if (!decode_schedule(input, schedule)) return run(true, 1, "memory=sc");
    schedule.memory_model = MemoryModel::sc;
    const std::vector<uint8_t> bytes = encode_schedule(schedule);
    const std::string path = scratch_.file("under-sc");
    write_file(path, bytes.data(), bytes.size());
    return run_file(path, true, 1, "memory=sc");
  }

 private:
  Replay run_file(const std::string& file, bool randomise, unsigned times, const std::string& options) {
    const std::string path = scratch_.file(fmt::format("trace-{}", ++count_));
    TargetRun run{.binary = arguments_.target,
                  .arguments = std::vector<std::string>(times, file),  // each engine runs a file as often as it is named
                  .heddle_options = "trace_path='" + path + "'" + (options.empty() ? "" : ":" + options),
                  .randomise_addresses = randomise,
                  .timeout_seconds = arguments_.timeout};
    Replay replay;
    replay.result = run_target(run);
    if (replay.result.timed_out) {
      throw Failure(kInternal, fmt::format("{} did not end within {} s (change with --timeout)", arguments_.target, arguments_.timeout));
    }
    if (!std::filesystem::exists(path)) {
      throw Failure(kInternal, fmt::format("{} wrote no trace, exit code {}: {}", arguments_.target, replay.result.exit_code,
                                           last_line(replay.result.output)));
    }
    if (!decode_trace(read_file(path), replay.trace)) {
      throw Failure(kInternal, fmt::format("{} wrote a trace that cannot be read: it was built with another version of heddle, or "
                                           "the disk is full", arguments_.target));
    }
    // Each run begins with the start of main. Equal hashes of empty runs would prove nothing.
    if (replay.trace.events.empty()) {
      throw Failure(kInternal, fmt::format("{} wrote an empty trace, exit code {}: there is nothing to compare", arguments_.target,
                                           replay.result.exit_code));
    }
    replay.hash = trace_hash(replay.trace.summary());
    return replay;
  }

  const Arguments& arguments_;
  const ScratchDirectory scratch_;
  unsigned count_ = 0;
};

// A run that does not end by itself is ended by the clock, each time at another place.
bool same_run(const Replay& a, const Replay& b) {
  if (a.hash == b.hash) return true;
  const RunSummary first = a.trace.summary(), second = b.trace.summary();
  return (first.flags & second.flags & kRunTimedOut) != 0 &&
         first_difference(first, second) == std::min(first.event_count, second.event_count);
}

std::optional<size_t> differing(const std::vector<Replay>& replays) {
  for (size_t i = 1; i < replays.size(); ++i) {
    if (!same_run(replays[i], replays[0])) return i;
  }
  return std::nullopt;
}

// A finding ends a run early. The repeated run continues after it, which is no difference.
bool same_up_to_finding(const Replay& cut, const Replay& repeated) {
  if (same_run(repeated, cut)) return true;
  const RunSummary a = cut.trace.summary(), b = repeated.trace.summary();
  return (a.flags & b.flags & kRunFinding) != 0 && first_difference(a, b) == a.event_count;
}

std::string line_of(const std::string& text, size_t number) {
  std::istringstream lines(text);
  std::string line;
  for (size_t i = 0; i <= number; ++i) {
    if (!std::getline(lines, line)) return "(the run had ended)";
  }
  return line;
}

std::string describe_difference(const Arguments& arguments, const Replay& a, const Replay& b) {
  const RunSummary first = a.trace.summary(), second = b.trace.summary();
  const size_t at = first_difference(first, second);
  if (at == kNoDifference) return {};
  const SiteNames names = sites_of(arguments.target, sites_in(b.trace), arguments.file);
  return fmt::format("  first difference, operation {}:\n    one run:     {}\n    another run: {}\n", at,
                     line_of(trace_to_text(first, &names), at), line_of(trace_to_text(second, &names), at));
}

// The file name has the form that engines use for inputs with a finding.
bool saved_for_a_finding(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename();
  for (const char* prefix : {"crash-", "timeout-", "leak-", "oom-", "id:"}) {
    if (name.compare(0, std::strlen(prefix), prefix) == 0) return true;
  }
  return false;
}

// Taken from the target's own notes (harness/driver/account.cc).
bool has_bare_libraries(const std::string& output) {
  return output.find(" is not instrumented: its accesses") != std::string::npos || output.find(" libraries are not instrumented: ") != std::string::npos;
}

// The input names a weak memory model, or HEDDLE_OPTIONS does: then the run has a modification order of its stores.
bool is_weak(const Replay& replay, std::span<const uint8_t> input) {
  Schedule schedule;
  decode_schedule(input, schedule);
  return schedule.memory_model != MemoryModel::sc || replay.trace.summary().coherence_count != 0;
}

// Does the schedule fail under sc, too? One run tells of one schedule only.
std::string describe_under_sc(Replayer& replayer, std::span<const uint8_t> input, const std::string& summary) {
  const TargetResult under_sc = replayer.run_under_sc(input).result;
  if (under_sc.exit_code == 0) return "  the same schedule under sc: no finding. So this finding needs a stale read, or another schedule under sc\n";
  const std::string other = summary_line(under_sc.output);
  return fmt::format("  the same schedule under sc: {}\n", other == summary ? "the same finding" : !other.empty() ? other
                                                               : fmt::format("ended with exit code {}", under_sc.exit_code));
}

int replay_one(const Arguments& arguments) {
  require_regular(arguments.file);
  const auto input = read_file(arguments.file);  // if it is absent, this command reports it, not the target
  Replayer replayer(arguments);
  std::vector<Replay> fresh, fixed;
  for (unsigned i = 0; i < arguments.runs; ++i) fresh.push_back(replayer.run(true, 1));
  for (unsigned i = 0; i < 2; ++i) fixed.push_back(replayer.run(false, 1));
  // A finding must not end the process before the input has run again.
  const Replay repeated = replayer.run(true, 3, "exit_on_finding=0");
  const Replay& first = fresh[0];
  if (arguments.report) print(first.result.output);

  const bool found = first.result.exit_code != 0;
  const std::string summary = summary_line(first.result.output);
  std::string verdict;
  bool same = false;
  if (const auto other = differing(fresh)) {
    verdict = (differing(fixed) ? "not deterministic\n" : "depends on addresses\n") +
              describe_difference(arguments, first, fresh[*other]);
  } else if (!same_run(fixed[0], first) || differing(fixed)) {
    verdict = "depends on addresses\n" +
              describe_difference(arguments, first, same_run(fixed[0], first) ? fixed[1] : fixed[0]);
  } else if (!same_up_to_finding(first, repeated)) {
    verdict = "depends on earlier executions\n" + describe_difference(arguments, first, repeated);
    if (has_bare_libraries(first.result.output)) {
      verdict += "  a library is not instrumented, and its state lasts from one execution to the next (the target's notes name it): build it with heddle's wrapper\n";
    }
  } else {
    same = true;
    verdict = "deterministic\n";
  }
  print(fmt::format("{}: {}  {} operations, trace {:016x}\n  {} fresh processes, 2 with fixed addresses, 3 times in one process\n  {}\n",
                    arguments.file, verdict, first.trace.steps, first.hash, arguments.runs,
                    !found ? "no finding" : summary.empty() ? fmt::format("ended with exit code {}", first.result.exit_code) : summary));
  if (!found) refuse_damaged(arguments.file, input);
  if (found && is_weak(first, input)) print(describe_under_sc(replayer, input, summary));
  Schedule schedule;
  decode_schedule(input, schedule);
  if (!found && !applies(first.trace, schedule)) {
    print("  the schedule does not apply to this build: the run reached none of the code positions that it names\n");
    return kNotApplicable;
  }
  if (!found && saved_for_a_finding(arguments.file)) {
    print(names_no_operation(schedule)
              ? "  by its name, this file was saved for a finding. Either the bug is fixed, or another target saved it (the schedule names no operation,\n"
                "  so heddle cannot tell)\n"
              : "  by its name, this file was saved for a finding. Either the bug is fixed, or it now needs another schedule\n");
  }
  return same && !found ? kPass : kFinding;
}

// Findings have precedence: 1 if any file has one, else 125 if one file does not apply.
int replay_files(Arguments arguments) {
  require_heddle(arguments.target);
  int worst = kPass;
  for (const std::string& file : arguments.files) {
    arguments.file = file;
    const int code = replay_one(arguments);
    if (worst != kFinding && code != kPass) worst = code;
  }
  return worst;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* replay = app.add_subcommand("replay", "Run saved inputs several times and compare the runs");
  replay->add_option("TARGET", arguments->target, "the fuzz target")->required();
  replay->add_option("FILE", arguments->files, "saved inputs, such as crash-...")->required();
  replay->add_option("--runs", arguments->runs, "number of fresh processes")->capture_default_str()->check(CLI::Range(2, 1000));
  replay->add_option("--timeout", arguments->timeout, "time limit for each process, in seconds")->capture_default_str()->check(CLI::Range(1, 86400));
  replay->add_flag("--report", arguments->report, "also print the target's output, with its report");
  replay->callback([arguments, &exit_code] { exit_code = replay_files(*arguments); });
}

}  // namespace heddle::cli
