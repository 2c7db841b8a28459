// heddle run: searches on all cores, goes on past what it finds, and says at the end what that was.
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "harness/cli/campaign.h"
#include "harness/cli/campaign_log.h"
#include "harness/cli/commands.h"
#include "harness/cli/files.h"
#include "harness/cli/progress_line.h"
#include "harness/cli/target_file.h"
#include "harness/cli/triage.h"
#include "schema/seen_file.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  CampaignOptions campaign;
  std::vector<std::string> reports;  // FORMAT=FILE
  bool minimize = false;
};

unsigned cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

void check_target(const std::string& path) {
  const TargetFile target = look_at_target(path);
  if (!target.of_heddle)
    throw Failure(kUsage, fmt::format("{} is not a heddle fuzz target: build it with "
                                      "heddle-clang++ or heddle_add_fuzz_target",
                                      path));
  if (!target.for_libfuzzer) {
    throw Failure(
        kUsage,
        target.for_afl
            ? fmt::format("{} is built for AFL++: use heddle fuzz, or build it for libFuzzer", path)
            : fmt::format("{} has no fuzzing engine: build it for libFuzzer", path));
  }
}

const Format& format_of(const std::string& report) {
  const std::string name = report.substr(0, report.find('='));
  for (const Format& format : triage_formats()) {
    if (format.name == name && report.size() > name.size() + 1) return format;
  }
  throw Failure(
      kUsage,
      fmt::format("--report {}: write FORMAT=FILE, with text, markdown, json, sarif or junit",
                  report));
}

void make_directories(const std::string& out) {
  std::error_code error;
  for (const char* name : {"corpus", "findings"}) {
    fs::create_directories(fs::path(out) / name, error);
    if (error)
      throw Failure(kUsage, fmt::format("cannot create {}/{}: {}", out, name, error.message()));
  }
}

std::string status(const CampaignState& state, size_t findings) {
  return fmt::format(
      "{} executions, {:.0f} a second; {} orders; {} of {} racing pairs both ways; {} finding{}; "
      "last news {:.0f} s ago",
      state.figures.executions, state.executions_a_second, state.figures.orders,
      state.figures.both_ways, state.figures.pairs, findings, findings == 1 ? "" : "s",
      state.seconds_since_news);
}

// On a terminal one line that changes, and each finding as it comes; else a line a minute.
class Status {
 public:
  void operator()(const Campaign& campaign) {
    const CampaignState state = campaign.state();
    for (; told_ < campaign.findings().size(); ++told_) {
      line_.clear();
      const CampaignFinding& finding = campaign.findings()[told_];
      fmt::print(stderr, "heddle run: after {:.0f} s: {}\n", state.seconds, finding.summary);
    }
    line_.show(status(state, campaign.findings().size()));
    if (isatty(STDERR_FILENO) == 0 && state.seconds >= next_) {
      next_ = state.seconds + kEvery;
      fmt::print(stderr, "heddle run: {}\n", status(state, campaign.findings().size()));
    }
  }
  void clear() { line_.clear(); }

 private:
  static constexpr double kEvery = 60;
  Progress line_{"heddle run"};
  size_t told_ = 0;
  double next_ = kEvery;
};

std::vector<std::string> saved_files(const Campaign& campaign) {
  std::vector<std::string> out;
  for (const CampaignFinding& finding : campaign.findings()) {
    for (const std::string& file : finding.files) {
      if (fs::exists(file) && std::find(out.begin(), out.end(), file) == out.end())
        out.push_back(file);
    }
  }
  return out;
}

void write_reports(const Arguments& arguments, const Campaign& campaign, Status& shown) {
  constexpr unsigned kTimeout = 60;
  Triage result = triage(arguments.campaign.target, saved_files(campaign), kTimeout, [](size_t) {}, arguments.campaign.known);
  if (arguments.minimize) {
    MinimizeLimits limits;
    limits.known = arguments.campaign.known;
    for (Group& group : result.groups) {
      if (group.signature == 0) continue;
      group.minimized = minimize(arguments.campaign.target, group.smallest,
                                 read_file(group.smallest), limits, [](const Minimizer&) {});
      group.report = group.minimized->report;
      group.kept = group.smallest + ".min";
      write_file(group.kept, group.minimized->input.data(), group.minimized->input.size());
    }
  }
  shown.clear();
  for (const std::string& report : arguments.reports) {
    const std::string text = format_of(report).write(result);
    write_file(report.substr(report.find('=') + 1), text.data(), text.size());
  }
  print(triage_formats().front().write(result));
}

// A user who does not know report_races=1 hears of them here.
void print_races(const std::set<std::string>& races) {
  constexpr size_t kMost = 16;
  if (races.empty()) return;
  const bool one = races.size() == 1;
  print(fmt::format("{} data race{} seen, which {} not a finding without HEDDLE_OPTIONS=report_races=1:\n", races.size(), one ? " was" : "s were",
                    one ? "is" : "are"));
  size_t shown = 0;
  for (const std::string& race : races) {
    if (shown++ < kMost) print(fmt::format("  {}\n", race));
  }
  if (shown > kMost) print(fmt::format("  and {} more\n", shown - kMost));
}

int run_campaign(Arguments arguments) {
  check_target(arguments.campaign.target);
  for (const std::string& report : arguments.reports) format_of(report);
  for (const std::string& directory : arguments.campaign.seeds) {
    if (!fs::is_directory(directory))
      throw Failure(kUsage, fmt::format("-i {}: not a directory", directory));
  }
  make_directories(arguments.campaign.out);  // a report can go there
  for (const std::string& report : arguments.reports)
    require_output(report.substr(report.find('=') + 1), {});
  struct sigaction action = {};
  action.sa_handler = [](int) { Campaign::stop(); };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  Campaign campaign(arguments.campaign);
  Status shown;
  CampaignLog log(arguments.campaign.out, arguments.campaign.target, arguments.campaign.jobs);
  campaign.run([&](const Campaign& now) {
    shown(now);
    log.look(now.state(), now.findings());
  });
  log.end(campaign.state(), campaign.findings());
  shown.clear();
  if (!campaign.failure().empty()) throw Failure(kUsage, campaign.failure());
  const CampaignState state = campaign.state();
  fmt::print(stderr, "heddle run: {}\n", status(state, campaign.findings().size()));
  if (campaign.findings().empty()) print("nothing found\n");
  if (!campaign.findings().empty() || !arguments.reports.empty())
    write_reports(arguments, campaign, shown);
  const std::string seen = campaign.seen();
  print_races(races_in(seen));
  if (const std::string_view words = weak_orders_in(seen); !words.empty()) print(fmt::format("note: {}. {}\n", words, kWeakOrdersAdvice));
  return campaign.findings().empty() ? kPass : kFinding;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CampaignOptions& campaign = arguments->campaign;
  campaign.out = "out";
  campaign.jobs = cores();
  CLI::App* command = app.add_subcommand(
      "run", "Search on all cores, go on past findings, and triage them at the end");
  command->add_option("TARGET", campaign.target, "the fuzz target, built for libFuzzer")
      ->required();
  command->add_option("ENGINE-OPTIONS", campaign.words,
                      "after --: options for libFuzzer, such as -max_len=64");
  command
      ->add_option("-i", campaign.seeds, "directory with seed inputs; may be given several times")
      ->take_all()
      ->expected(1);
  command->add_option("-o", campaign.out, "directory for the corpus, the findings and the logs")
      ->capture_default_str();
  command
      ->add_option("--seconds", campaign.seconds,
                   "stop after this number of seconds (default: at Ctrl-C)")
      ->check(CLI::Range(1u, 100'000'000u));
  command->add_option("--jobs", campaign.jobs, "number of processes (default: one for each core)")
      ->check(CLI::Range(1u, 1024u));
  command->add_option("--findings", campaign.findings, "stop at this number of different findings")
      ->check(CLI::Range(1u, 1'000'000u));
  command->add_option("--known", campaign.known,
                      "file of signatures that are known: they are no findings");
  command
      ->add_option("--seed", campaign.seed,
                   "seed of the first process; the others have the next ones")
      ->capture_default_str()
      ->check(CLI::Range(1u, 2'000'000'000u));
  command
      ->add_option("--report", arguments->reports,
                   "also write the triage as FORMAT=FILE: text, markdown, json, sarif or junit")
      ->take_all()
      ->expected(1);
  command->add_flag("--minimize", arguments->minimize,
                    "minimize an input of each finding, to FILE.min");
  command->callback([arguments, &exit_code] { exit_code = run_campaign(*arguments); });
}

}  // namespace heddle::cli
