#include "harness/cli/triage.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "harness/cli/applies.h"
#include "harness/cli/damaged.h"
#include "harness/cli/deadline.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/target_process.h"
#include "harness/cli/target_server.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPrefixes[] = {"crash-", "leak-", "timeout-", "oom-", "id:"};
// Of fuzzing engines and of heddle fuzz: inputs without a finding.
constexpr const char* kNoFindings[] = {"queue", "corpus", "seeds", ".synced", ".state", ".cur_input"};

bool starts_with_any(const std::string& name) {
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes), [&](const char* prefix) { return name.compare(0, std::strlen(prefix), prefix) == 0; });
}

// A file that is not one of the names, and a report of heddle's own shows what it finds.
struct Seen {
  bool found = false;
  uint64_t signature = 0;
  std::string output;
};

Seen run_alone(const std::string& target, std::string file, unsigned timeout, const std::string& known) {
  const ScratchDirectory scratch;
  if (fs::file_size(file) == 0) {
    file = scratch.file("empty");
    const auto input = stand_in_for_empty();
    write_file(file, input.data(), input.size());
  }
  const TargetResult result = run_target({.binary = target, .arguments = {file, "-exact_artifact_path=" + scratch.file("saved")},
                                          .heddle_options = options_of_readers(known), .timeout_seconds = timeout});
  return {.found = result.exit_code != 0 || result.timed_out, .signature = signature_in(result.output), .output = result.output};
}

void make_report(Group& group, const std::string& target, unsigned timeout, const std::string& known) {
  try {
    group.report = run_alone(target, group.smallest, timeout, known).output;
  } catch (const OutOfTime&) {
    group.kind = "finding";
    group.place = "(there was no time for its report)";
    return;
  }
  group.summary = summary_line(group.report);
  group.kind = kind_in_summary(group.summary);
  group.place = place_in_summary(group.summary);
  group.freed = free_in(group.report);
}

bool smaller(const std::string& a, const std::string& b) {
  const auto size_a = fs::file_size(a), size_b = fs::file_size(b);
  return size_a != size_b ? size_a < size_b : a < b;
}

// A page or a picture of heddle show, which has the input's name and more.
bool is_picture(const std::string& name) { return name.ends_with(".html") || name.ends_with(".svg"); }

}  // namespace

std::vector<std::string> saved_findings(const std::vector<std::string>& paths) {
  std::set<std::string> out;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      require_regular(path);
      read_file(path);
      out.insert(path);
      continue;
    }
    auto at = fs::recursive_directory_iterator(path, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      const std::string name = at->path().filename();
      if (at->is_directory() && std::find(std::begin(kNoFindings), std::end(kNoFindings), name) != std::end(kNoFindings)) at.disable_recursion_pending();
      if (at->is_regular_file() && starts_with_any(name) && !is_picture(name)) out.insert(at->path());
    }
    if (error) throw Failure(kUsage, fmt::format("cannot read {}: {}", path, error.message()));
  }
  return {out.begin(), out.end()};
}

Triage triage(const std::string& target, const std::vector<std::string>& files, unsigned timeout, const std::function<void(size_t)>& progress,
              const std::string& known) {
  Triage out;
  out.target = target;
  out.files = files.size();
  constexpr double kShareOfFiles = 0.6;  // of the time; the rest is for the reports
  std::optional<Deadline> of_files(std::in_place, kShareOfFiles * Deadline::left());
  TargetServer server(target, "known='" + known + "'");
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    const auto input = read_file(file);
    Execution execution;
    Seen seen;
    try {
      if (Deadline::passed()) throw OutOfTime();
      execution = server.run(input, timeout * 1000);
      seen = {.found = execution.found, .signature = execution.signature, .output = {}};
      // What the server does not see: a leak that only the engine looks for, a failure without a report of heddle.
      if (seen.signature == 0) seen = run_alone(target, file, timeout, known);
    } catch (const OutOfTime&) {
      out.not_tried.assign(files.begin() + static_cast<ptrdiff_t>(i), files.end());
      break;
    }
    progress(i + 1);
    if (!seen.found) {
      Schedule schedule;
      decode_schedule(input, schedule);
      (is_damaged(input) ? out.damaged : execution.has_trace && !applies(execution.trace, schedule) ? out.not_applicable : out.without_finding).push_back(file);
      continue;
    }
    const std::string summary = seen.signature == 0 ? summary_line(seen.output) : std::string();
    auto group = std::find_if(out.groups.begin(), out.groups.end(), [&](const Group& g) { return g.signature == seen.signature && (seen.signature != 0 || g.summary == summary); });
    if (group == out.groups.end()) {
      group = out.groups.emplace(group);
      group->signature = seen.signature;
      group->summary = summary;
    }
    group->files.push_back(file);
  }
  of_files.reset();
  for (Group& group : out.groups) {
    group.smallest = *std::min_element(group.files.begin(), group.files.end(), smaller);
    make_report(group, target, timeout, known);
  }
  std::sort(out.groups.begin(), out.groups.end(), [](const Group& a, const Group& b) { return std::pair(b.files.size(), a.smallest) < std::pair(a.files.size(), b.smallest); });
  return out;
}

std::string name_of(const Group& group) {
  return group.signature != 0 ? fmt::format("{}-{:016x}", group.kind, group.signature) : fmt::format("{}-{:08x}", group.kind, hash_input({reinterpret_cast<const uint8_t*>(group.summary.data()), group.summary.size()}) >> 32);
}

void write_known(const std::string& path, const Triage& triage) {
  std::string text;
  std::error_code error;
  if (fs::exists(path, error)) {
    const auto bytes = read_file(path);
    text.assign(bytes.begin(), bytes.end());
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  for (const Group& group : triage.groups) {
    const std::string signature = fmt::format("{:016x}", group.signature);
    if (group.signature != 0 && text.find(signature) == std::string::npos) text += fmt::format("{}  # {} {}\n", signature, group.kind, group.place);
  }
  write_file(path, text.data(), text.size());
}

}  // namespace heddle::cli
