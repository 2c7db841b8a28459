// The subcommands. Each adds itself to the command line. Its callback sets the exit code.
#pragma once

namespace CLI {
class App;
}

namespace heddle::cli {

void add_fuzz(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_minimize(CLI::App& app, int& exit_code);
void add_triage(CLI::App& app, int& exit_code);
void add_promote(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_debug(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_stats(CLI::App& app, int& exit_code);
void add_new(CLI::App& app, int& exit_code);

}  // namespace heddle::cli
