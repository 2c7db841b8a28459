#include "harness/cli/run_record.h"

#include <fmt/format.h>

#include <filesystem>

#include "harness/cli/files.h"
#include "harness/cli/target_file.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {

RunRecord record_run(const std::string& target, const std::string& file, unsigned timeout_seconds, const std::string& options) {
  require_heddle(target);
  const ScratchDirectory scratch;
  const std::string trace = scratch.file("trace"), words = scratch.file("run"), empty = scratch.file("input");
  std::string input = file;
  if (read_file(file).empty()) {
    const auto bytes = stand_in_for_empty();
    write_file(empty, bytes.data(), bytes.size());
    input = empty;
  }
  const TargetResult result = run_target({.binary = target,
                                          .arguments = {input},
                                          .heddle_options = fmt::format("trace_path='{}':run_path='{}':{}{}{}", trace, words, options_of_readers(),
                                                                        options.empty() ? "" : ":", options),
                                          .timeout_seconds = timeout_seconds});
  if (result.timed_out) throw Failure(kInternal, fmt::format("{} did not end within {} s (change with --timeout)", target, timeout_seconds));
  if (!std::filesystem::exists(trace) || !std::filesystem::exists(words)) {
    throw Failure(kInternal, fmt::format("{} did not record its run, exit code {}: {}", target, result.exit_code, last_line(result.output)));
  }
  RunRecord record;
  if (!decode_trace(read_file(trace), record.trace)) {
    throw Failure(kInternal, fmt::format("{} recorded a run that cannot be read: it was built with another version of heddle, or the disk is full", target));
  }
  const auto bytes = read_file(words);
  record.words.assign(bytes.begin(), bytes.end());
  record.output = result.output;
  return record;
}

}  // namespace heddle::cli
