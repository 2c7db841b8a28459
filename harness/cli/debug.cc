// heddle debug: gdb at the finding of a saved input, with commands for the program's threads (scripts/gdb/heddle_gdb.py).
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/damaged.h"
#include "harness/cli/files.h"
#include "harness/cli/target_file.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {
namespace {

struct Arguments {
  std::string target, file, gdb = "gdb";
  std::vector<std::string> commands;
};

// Beside the command, installed and in a build tree.
std::string find_script() {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::filesystem::path script = (here / "../share/heddle/gdb/heddle_gdb.py").lexically_normal();
  if (std::filesystem::exists(script, error)) return script.string();
  throw Failure(kUsage, fmt::format("{} is missing: install all of heddle", script.string()));
}

// Does not return: gdb takes the place of this process, so that the terminal is gdb's.
[[noreturn]] void debug(const Arguments& arguments) {
  require_regular(arguments.file);
  const auto input = read_file(arguments.file);
  require_heddle(arguments.target);
  if (!look_at_target(arguments.target).of_heddle)
    throw Failure(kUsage, fmt::format("{} is not a heddle fuzz target: gdb needs the program itself", arguments.target));
  if (is_damaged(input)) fmt::print(stderr, "heddle: {} is a damaged schedule: the target takes its bytes as plain data\n", arguments.file);
  std::vector<std::string> words = {arguments.gdb, "-q", "-nx", "-iex", "set print thread-events off", "-x", find_script()};
  if (!arguments.commands.empty()) words.push_back("-batch");
  const auto execute = [&words](const std::string& command) { words.insert(words.end(), {"-ex", command}); };
  execute("heddle start");
  for (const std::string& command : arguments.commands) execute(command);
  words.insert(words.end(), {"--args", runnable_path(arguments.target), arguments.file});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  const int reason = errno;
  if (reason == ENOENT && arguments.gdb == "gdb") throw Failure(kUsage, "no gdb in PATH: install it (Debian: apt-get install gdb)");
  throw Failure(kUsage, fmt::format("cannot start {}: {}", arguments.gdb, std::strerror(reason)));
}

}  // namespace

void add_debug(CLI::App& app, int&) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("debug", "Start gdb and run a saved input up to its finding");
  command->add_option("TARGET", arguments->target, "the fuzz target")->required();
  command->add_option("FILE", arguments->file, "a saved input, such as crash-...")->required();
  command->add_option("-c,--command", arguments->commands, "a gdb command to run there, such as 'heddle bt all'; may be repeated. Then gdb ends")
      ->take_all()->expected(1);
  command->add_option("--gdb", arguments->gdb, "the gdb to start")->capture_default_str();
  command->footer("In gdb: heddle threads, heddle bt THREAD|all, heddle step [THREAD], heddle back, heddle goto STEP.\n"
                  "With --command the exit code is gdb's.");
  command->callback([arguments] { debug(*arguments); });
}

}  // namespace heddle::cli
