// heddle fuzz: starts the fuzzing engine that a target is built for, with the options that it needs. The engine replaces this process.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/files.h"
#include "harness/cli/first_seeds.h"
#include "harness/cli/target_file.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string target, engine, in, out = "out";
  unsigned seconds = 0;
  bool until_finding = false, show = false;
  std::vector<std::string> of_the_engine;
};

struct Command {
  std::vector<std::pair<std::string, std::string>> environment;  // what the user has set stays
  std::vector<std::string> words;
};

std::string engine_of(const Arguments& arguments, const TargetFile& target) {
  const std::string& path = arguments.target;
  if (!target.of_heddle) throw Failure(kUsage, fmt::format("{} is not a heddle fuzz target: build it with heddle-clang++ or heddle_add_fuzz_target", path));
  if (!target.for_afl && !target.for_libfuzzer) {
    throw Failure(kUsage, fmt::format("{} has no fuzzing engine (built with --engine=standalone): it only runs the files on its command line", path));
  }
  const std::string built_for = target.for_afl ? "afl" : "libfuzzer";
  if (arguments.engine.empty() || arguments.engine == built_for) return built_for;
  throw Failure(kUsage, fmt::format("{} is built for {}: build it with heddle-clang++ --engine={}, or use --engine={}", path,
                                    target.for_afl ? "AFL++" : "libFuzzer", arguments.engine, built_for));
}

std::vector<std::string> first_files(const fs::path& directory) {
  constexpr size_t kEnough = 3;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file() && files.size() < kEnough) files.push_back(entry.path().string());
  }
  return files;
}

// afl-fuzz discards what a target prints. If a target cannot start, afl-fuzz says that it has no instrumentation.
void check_start(const Arguments& arguments, const std::string& in) {
  TargetResult result;
  std::string last;
  for (const std::string& file : first_files(in)) {
    result = run_target({.binary = arguments.target, .arguments = {file}});
    if (result.exit_code == 0 || result.timed_out) return;
    last = file;
  }
  const std::string summary = summary_line(result.output);
  if (summary.empty()) throw Failure(kUsage, fmt::format("{} does not run: {}", arguments.target, last_line(result.output)));
  if (arguments.in.empty()) {
    throw Failure(kFinding, fmt::format("{} fails with every seed input, and afl-fuzz needs one that passes. To see the failure, run: {} {}", arguments.target,
                                        arguments.target, last));
  }
}

void check_corpus(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    throw Failure(kUsage, fmt::format("-i {}: {}", path, error ? error.message() : fs::exists(path) ? "not a directory" : std::strerror(ENOENT)));
  }
}

void make_directory(const fs::path& path) {
  std::error_code error;
  if (path.empty()) return;
  fs::create_directories(path, error);
  if (error) throw Failure(kUsage, fmt::format("cannot create {}: {}", path.string(), error.message()));
}

// afl-fuzz needs a first input that does not fail. If the default schedule fails, one of these usually does not.
std::string make_seeds(const fs::path& out) {
  const fs::path seeds = out / "seeds";
  make_directory(seeds);
  write_first_seeds(seeds);
  return seeds.string();
}

std::string find_program(const char* name, std::initializer_list<const char*> variables) {
  for (const char* variable : variables) {
    const char* const list = std::getenv(variable);
    if (list == nullptr) continue;
    const std::string_view all(list);
    for (size_t at = 0; at <= all.size();) {
      const size_t end = std::min(all.find(':', at), all.size());
      const std::string path = fmt::format("{}/{}", all.substr(at, end - at), name);
      if (access(path.c_str(), X_OK) == 0) return path;
      at = end + 1;
    }
  }
  return {};
}

// The custom mutator is installed beside the objects that targets are linked with.
std::string find_mutator() {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  fs::path found;
  for (const char* directory : {HEDDLE_LIBDIR, "../lib/heddle"}) {  // installed; in a build tree
    found = (here / directory / "libheddle-afl.so").lexically_normal();
    if (fs::exists(found, error)) return found.string();
  }
  throw Failure(kUsage, fmt::format("{} is missing: build the target heddle_afl, or install all of heddle", found.string()));
}

bool has_option(const std::vector<std::string>& words, std::string_view beginning) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return word.starts_with(beginning); });
}

Command afl_command(const Arguments& arguments, const TargetFile& target) {
  const std::string afl_fuzz = find_program("afl-fuzz", {"AFL_PATH", "PATH"});
  if (afl_fuzz.empty()) throw Failure(kUsage, "no afl-fuzz in PATH: install AFL++ (Debian: apt-get install afl++)");
  std::string in = arguments.in;
  if (!in.empty() && in != "-") {  // -: go on with what OUT has
    check_corpus(in);
    if (first_files(in).empty()) throw Failure(kUsage, fmt::format("-i {}: no input in this directory, and afl-fuzz needs one. Without -i, heddle makes some", in));
  }
  Command command;
  command.environment = {{"AFL_CUSTOM_MUTATOR_LIBRARY", find_mutator()},
                         {"AFL_CUSTOM_MUTATOR_ONLY", "1"},  // AFL++'s own stages mostly destroy schedules
                         {"AFL_FAST_CAL", "1"},             // a target does the same each time
                         {"AFL_SKIP_CPUFREQ", "1"},
                         {"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"}};
  if (isatty(STDOUT_FILENO) == 0) command.environment.emplace_back("AFL_NO_UI", "1");
  if (arguments.until_finding) command.environment.emplace_back("AFL_BENCH_UNTIL_CRASH", "1");
  if (target.has_asan) {
    const char* const given = std::getenv("ASAN_OPTIONS");
    const std::string all = fmt::format("abort_on_error=1:symbolize=0:detect_leaks=0{}{}", given != nullptr ? ":" : "", given != nullptr ? given : "");
    setenv("ASAN_OPTIONS", all.c_str(), 1);
  }
  if (in.empty()) in = arguments.show ? arguments.out + "/seeds" : make_seeds(arguments.out);
  if (in != "-" && !arguments.show) check_start(arguments, in);
  command.words = {afl_fuzz, "-i", in, "-o", arguments.out};
  // AFL++'s own limit is at most a second, and is derived from the first inputs.
  if (!has_option(arguments.of_the_engine, "-t")) command.words.insert(command.words.end(), {"-t", "20000"});
  if (arguments.seconds != 0) command.words.insert(command.words.end(), {"-V", std::to_string(arguments.seconds)});
  command.words.insert(command.words.end(), arguments.of_the_engine.begin(), arguments.of_the_engine.end());
  command.words.insert(command.words.end(), {"--", arguments.target});
  return command;
}

Command libfuzzer_command(const Arguments& arguments) {
  const std::string corpus = arguments.out + "/corpus";
  Command command;
  command.words = {arguments.target, "-artifact_prefix=" + arguments.out + "/"};
  if (arguments.seconds != 0) command.words.push_back(fmt::format("-max_total_time={}", arguments.seconds));
  command.words.insert(command.words.end(), arguments.of_the_engine.begin(), arguments.of_the_engine.end());
  command.words.push_back(corpus);
  if (!arguments.in.empty()) {
    check_corpus(arguments.in);
    command.words.push_back(arguments.in);
  }
  if (!arguments.show) make_directory(corpus);
  return command;
}

void run(const Arguments& arguments) {
  const TargetFile target = look_at_target(arguments.target);
  const bool afl = engine_of(arguments, target) == "afl";
  if (!arguments.show) make_directory(arguments.out);
  const Command command = afl ? afl_command(arguments, target) : libfuzzer_command(arguments);
  std::string shown;
  for (const auto& [name, value] : command.environment) {
    if (std::getenv(name.c_str()) != nullptr) continue;
    setenv(name.c_str(), value.c_str(), 0);
    shown += fmt::format("{}={} ", name, value);
  }
  if (arguments.show) return print(fmt::format("{}{}\n", shown, fmt::join(command.words, " ")));
  std::vector<char*> words;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  throw Failure(kInternal, fmt::format("cannot run {}: {}", words[0], std::strerror(errno)));
}

}  // namespace

void add_fuzz(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* fuzz = app.add_subcommand("fuzz", "Start the fuzzing engine of a target. The exit code is that of the engine");
  fuzz->add_option("TARGET", arguments->target, "the fuzz target")->required();
  fuzz->add_option("ENGINE-OPTIONS", arguments->of_the_engine, "after --: options for the engine itself, such as -M main or -jobs=2");
  fuzz->add_option("--engine", arguments->engine, "libfuzzer or afl (default: the one that the target is built for)")
      ->check(CLI::IsMember({"libfuzzer", "afl"}));
  fuzz->add_option("-i", arguments->in, "directory with seed inputs; AFL++: - continues with the contents of OUT");
  fuzz->add_option("-o", arguments->out, "directory for the corpus and the findings")->capture_default_str();
  fuzz->add_option("--seconds", arguments->seconds, "stop after this number of seconds")->check(CLI::Range(1u, 100'000'000u));
  fuzz->add_flag("--until-finding", arguments->until_finding, "stop at the first finding (libFuzzer always does)");
  fuzz->add_flag("--show", arguments->show, "print the command and do not run it");
  fuzz->callback([arguments, &exit_code] {
    if (arguments->target.find('/') == std::string::npos) arguments->target.insert(0, "./");  // afl-fuzz would look for it in PATH
    run(*arguments);
    exit_code = kPass;
  });
}

}  // namespace heddle::cli
