// heddle triage: many saved inputs, how many bugs?
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "harness/cli/commands.h"
#include "harness/cli/deadline.h"
#include "harness/cli/files.h"
#include "harness/cli/progress_line.h"
#include "harness/cli/target_file.h"
#include "harness/cli/triage.h"

namespace heddle::cli {
namespace {

constexpr unsigned kSeconds = 30;  // or one for each file

struct Arguments {
  std::string target, format = "text", output, keep, known;
  std::vector<std::string> paths;
  bool minimize = false;
  unsigned seconds = 0;  // 0: not said
  MinimizeLimits limits;
};

void keep_smallest(const Arguments& arguments, Triage& triage, Progress& progress) {
  std::error_code error;
  std::filesystem::create_directories(arguments.keep, error);
  if (error) throw Failure(kUsage, fmt::format("cannot create {}: {}", arguments.keep, error.message()));
  size_t number = 0;
  for (Group& group : triage.groups) {
    ++number;
    auto input = read_file(group.smallest);
    if (arguments.minimize && group.signature != 0) {
      const Deadline deadline(Deadline::of_command(arguments.limits.seconds));
      group.minimized = minimize(arguments.target, group.smallest, input, arguments.limits, [&](const Minimizer& search) {
        progress.show(fmt::format("minimizing finding {} of {}: {} executions", number, triage.groups.size(), search.executions()));
      });
      input = group.minimized->input;
      if (group.minimized->shown_alone) group.report = group.minimized->report;
    }
    group.kept = (std::filesystem::path(arguments.keep) / name_of(group)).string();
    write_file(group.kept, input.data(), input.size());
  }
}

int triage_files(const Arguments& arguments) {
  if (arguments.minimize && arguments.keep.empty()) throw Failure(kUsage, "--minimize needs --keep DIRECTORY for the inputs that it makes");
  require_heddle(arguments.target);
  const std::vector<std::string> files = saved_findings(arguments.paths);
  require_output(arguments.output, files);
  require_output(arguments.known, files);
  Progress progress("heddle triage");
  std::optional<Deadline> of_files(std::in_place, arguments.seconds != 0 ? arguments.seconds : std::max<double>(kSeconds, static_cast<double>(files.size())));
  Triage result = triage(arguments.target, files, arguments.limits.timeout, [&](size_t n) { progress.show(fmt::format("{} of {} files", n, files.size())); });
  of_files.reset();
  if (!arguments.keep.empty()) keep_smallest(arguments, result, progress);
  progress.clear();
  if (!arguments.known.empty()) write_known(arguments.known, result);
  for (const Format& format : triage_formats()) {
    if (format.name != arguments.format) continue;
    const std::string text = format.write(result);
    if (arguments.output.empty()) print(text);
    else write_file(arguments.output, text.data(), text.size());
  }
  if (!result.groups.empty()) return kFinding;
  if (!result.not_tried.empty()) return kInternal;
  if (!result.damaged.empty()) return kUsage;
  return result.without_finding.empty() && !result.not_applicable.empty() ? kNotApplicable : kPass;
}

}  // namespace

void add_triage(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  std::vector<std::string> formats;
  for (const Format& format : triage_formats()) formats.emplace_back(format.name);
  CLI::App* command = app.add_subcommand("triage", "Group saved inputs by what they find");
  command->add_option("TARGET", arguments->target, "the fuzz target")->required();
  command->add_option("DIRECTORY", arguments->paths, "directories with saved inputs, or files")->required();
  command->add_option("--format", arguments->format, "text, markdown, json, sarif or junit")->capture_default_str()->check(CLI::IsMember(formats));
  command->add_option("-o,--output", arguments->output, "write to this file instead of standard output");
  command->add_option("--keep", arguments->keep, "copy the smallest input of each finding to this directory");
  command->add_flag("--minimize", arguments->minimize, "with --keep: minimize these inputs");
  command->add_option("--known", arguments->known, "add the signatures to this file, for HEDDLE_OPTIONS=known=FILE");
  command->add_option("--seconds", arguments->seconds, "stop after this number of seconds (default: 30, or one for each file if they are more)")
      ->check(CLI::Range(1, 86400));
  command->add_option("--timeout", arguments->limits.timeout, "time limit for one execution, in seconds")->capture_default_str()->check(CLI::Range(1, 86400));
  command->callback([arguments, &exit_code] { exit_code = triage_files(*arguments); });
}

}  // namespace heddle::cli
