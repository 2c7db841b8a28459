// The `heddle` command: starts targets, and shows saved inputs and recorded runs. One file per subcommand.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string>

#include "harness/cli/commands.h"
#include "harness/cli/files.h"

int main(int argc, char** argv) {
  CLI::App app("heddle: start fuzz targets, replay saved inputs, show schedules as text.", "heddle");
  app.require_subcommand(1);
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION "\nbuilt by clang " __clang_version__);
  std::string codes;
  for (const auto& [code, name, meaning] : heddle::cli::kExitCodes) codes += fmt::format("\n  {:<3} {}", static_cast<int>(code), name);
  app.footer("Exit codes:" + codes);
  int exit_code = heddle::cli::kPass;
  heddle::cli::add_new(app, exit_code);
  heddle::cli::add_run(app, exit_code);
  heddle::cli::add_stats(app, exit_code);
  heddle::cli::add_fuzz(app, exit_code);
  heddle::cli::add_show(app, exit_code);
  heddle::cli::add_replay(app, exit_code);
  heddle::cli::add_minimize(app, exit_code);
  heddle::cli::add_triage(app, exit_code);
  heddle::cli::add_promote(app, exit_code);
  heddle::cli::add_check(app, exit_code);
  heddle::cli::add_explain(app, exit_code);
  heddle::cli::add_debug(app, exit_code);
  try {
    // CLI11 would only say that a subcommand is missing.
    std::string commands;
    bool known = argc < 2 || argv[1][0] == '-';
    for (const CLI::App* command : app.get_subcommands({})) {
      known = known || command->check_name(argv[1]);
      commands += (commands.empty() ? "" : ", ") + command->get_name();
    }
    if (!known) {
      throw heddle::cli::Failure(heddle::cli::kUsage, fmt::format("unknown command '{}'; the commands are {}", argv[1], commands));
    }
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "heddle: {} (see heddle --help)\n", error.what());
    return heddle::cli::kUsage;
  } catch (const heddle::cli::Failure& failure) {
    fmt::print(stderr, "heddle: {}\n", failure.what());
    return failure.code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle: internal error: {}\n", error.what());
    return heddle::cli::kInternal;
  }
  return exit_code;
}
