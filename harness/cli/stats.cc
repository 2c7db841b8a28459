// heddle stats: how the searches in a directory went, as text, as JSON or as a page.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

#include "harness/cli/campaign_log.h"
#include "harness/cli/commands.h"
#include "harness/cli/embedded_pages.h"
#include "harness/cli/files.h"
#include "harness/cli/page_file.h"
#include "harness/cli/run_page.h"

namespace heddle::cli {
namespace {

struct Arguments {
  std::string path = "out", output;
  bool html = false, json = false;
};

void stats(const Arguments& arguments) {
  if (arguments.html && arguments.json) throw Failure(kUsage, "--html and --json exclude each other");
  require_output(arguments.output, {arguments.path});
  const History history = read_history(arguments.path);
  if (arguments.html) {
    const bool directory = std::filesystem::is_directory(arguments.path);
    const std::string title = fmt::format("heddle: searches with {}", history.searches.back().target.empty() ? arguments.path : history.searches.back().target);
    return write_page(filled_page(std::string(embedded_page("stats.html")), title, history_json(history)), arguments.output,
                      directory ? (std::filesystem::path(arguments.path) / "stats.html").string() : arguments.path + ".html");
  }
  const std::string text = arguments.json ? history_json(history) + "\n" : history_text(history);
  if (arguments.output.empty() || arguments.output == "-") return print(text);
  write_file(arguments.output, text.data(), text.size());
}

}  // namespace

void add_stats(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("stats", "Show how the searches of heddle run or AFL++ went: executions, orders, racing pairs, findings over time");
  command->add_option("DIRECTORY", arguments->path, "the directory that heddle run or afl-fuzz has written, or a file of HEDDLE_OPTIONS=stats_path")->capture_default_str();
  command->add_flag("--html", arguments->html, "write a page for a browser, to DIRECTORY/stats.html");
  command->add_flag("--json", arguments->json, "print JSON");
  command->add_option("-o,--output", arguments->output, "write to this file instead; - is standard output");
  command->callback([arguments, &exit_code] {
    stats(*arguments);
    exit_code = kPass;
  });
}

}  // namespace heddle::cli
