// heddle show: a schedule or a recorded run as text, and a schedule's text back to bytes. Pages and pictures: show_run.h.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/damaged.h"
#include "harness/cli/files.h"
#include "harness/cli/json.h"
#include "harness/cli/show_run.h"
#include "harness/cli/site_table.h"
#include "harness/cli/target_file.h"
#include "schema/codec.h"
#include "schema/text.h"
#include "schema/trace_file.h"

namespace heddle::cli {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::string file;  // the one that is being shown
  std::string target, output;
  bool json = false, binary = false, html = false, svg = false, dot = false, no_source = false;
  unsigned timeout = 60;
};

void emit(const Arguments& arguments, const void* data, size_t size) {
  if (arguments.output.empty() || arguments.output == "-") {
    print({static_cast<const char*>(data), size});
  } else {
    write_file(arguments.output, data, size);
  }
}

void text_to_binary(const Arguments& arguments) {
  if (arguments.output.empty()) throw Failure(kUsage, "show --binary needs -o FILE for the schedule's bytes");
  const auto bytes = read_file(arguments.file);
  const std::string text(bytes.begin(), bytes.end());
  SiteNames names;
  if (!arguments.target.empty()) names = sites_of(arguments.target, {});
  Schedule schedule;
  std::string error;
  if (!from_text(text, schedule, error, &names)) throw Failure(kUsage, fmt::format("{}: {}", arguments.file, error));
  const auto encoded = encode_schedule(schedule);
  write_file(arguments.output, encoded.data(), encoded.size());
}

void to_readable(const Arguments& arguments) {
  const auto bytes = read_file(arguments.file);
  StoredTrace trace;
  Schedule schedule;
  const bool is_trace = decode_trace(bytes, trace);
  const bool is_schedule = !is_trace && decode_schedule(bytes, schedule);
  if (!is_trace && !is_schedule) refuse_damaged(arguments.file, bytes);
  SiteNames names;
  if (!arguments.target.empty()) {
    names = is_trace ? sites_of(arguments.target, sites_in(trace)) : sites_of(arguments.target, sites_in(schedule), arguments.file);
  }
  std::string out;
  if (is_trace) {
    out = arguments.json ? trace_json(trace, names) : trace_to_text(trace.summary(), &names);
  } else if (arguments.json) {
    out = schedule_json(schedule, names);
  } else {
    if (!is_schedule) out = fmt::format("// {} contains no schedule: it runs with the default schedule, and its bytes are the payload\n", arguments.file);
    out += to_text(schedule, &names);
  }
  emit(arguments, out.data(), out.size());
}

RunForm form_of(const Arguments& arguments) {
  return arguments.html ? RunForm::html : arguments.svg ? RunForm::svg : arguments.dot ? RunForm::dot : RunForm::none;
}

void show_file(const Arguments& arguments) {
  if (form_of(arguments) != RunForm::none) {
    refuse_damaged(arguments.file, read_file(arguments.file));
    return show_run({form_of(arguments), arguments.file, arguments.target, arguments.output, !arguments.no_source, arguments.timeout});
  }
  arguments.binary ? text_to_binary(arguments) : to_readable(arguments);
}

void show_files(Arguments arguments) {
  const bool several = arguments.files.size() > 1;
  if (arguments.html + arguments.svg + arguments.dot + arguments.json + arguments.binary > 1) {
    throw Failure(kUsage, "--json, --binary, --html, --svg and --dot exclude each other");
  }
  if (several && (arguments.binary || arguments.svg || arguments.dot || !arguments.output.empty())) {
    throw Failure(kUsage, "--binary, --svg, --dot and --output take one FILE");
  }
  require_output(arguments.output, arguments.files);
  if (!arguments.target.empty()) require_heddle(arguments.target);
  for (const std::string& file : arguments.files) {
    arguments.file = file;
    if (several && !arguments.html) print(fmt::format("==> {} <==\n", file));
    show_file(arguments);
  }
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* show = app.add_subcommand("show", "Show a saved input or a recorded run: as text, as a page or as a picture");
  show->add_option("FILE", arguments->files, "fuzz inputs or traces; with --binary, a schedule as text")->required();
  show->add_option("--target", arguments->target, "the fuzz target: adds source lines, and makes the run for --html, --svg and --dot");
  show->add_flag("--json", arguments->json, "print JSON");
  show->add_flag("--binary", arguments->binary, "FILE is a schedule as text: write it as bytes");
  show->add_flag("--html", arguments->html, "run FILE, and write the run as one page for a browser to run-FILE.html");
  show->add_flag("--svg", arguments->svg, "run FILE, and print the run as a picture");
  show->add_flag("--dot", arguments->dot, "run FILE, and print its execution graph for Graphviz");
  show->add_flag("--no-source", arguments->no_source, "with --html: without the lines of the program");
  show->add_option("--timeout", arguments->timeout, "time limit for the run, in seconds")->capture_default_str()->check(CLI::Range(1, 86400));
  show->add_option("-o,--output", arguments->output, "write to this file instead; - is standard output");
  show->callback([arguments, &exit_code] {
    show_files(*arguments);
    exit_code = kPass;
  });
}

}  // namespace heddle::cli
