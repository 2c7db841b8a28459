#include "harness/cli/show_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "harness/cli/files.h"
#include "harness/cli/page_file.h"
#include "harness/cli/printed_report.h"
#include "harness/cli/run_page.h"
#include "harness/cli/run_picture.h"
#include "harness/cli/run_record.h"
#include "harness/cli/site_table.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {
namespace {

constexpr size_t kManyNodes = 1000;

// The target's output without the engine's own lines before the report.
std::string report_in(const std::string& output) {
  const size_t begin = output.find("==================================================");
  return begin == std::string::npos ? output : output.substr(begin);
}

// A sanitizer's report names the kind; heddle's part only says that there is one.
void name_finding(RunModel& model, const std::string& kind) {
  for (RunRow& row : model.rows) {
    if (row.what == RunRow::here && row.words.starts_with(model.kind)) row.words = kind + row.words.substr(model.kind.size());
  }
  model.kind = kind;
}

RunModel model_of(const ShowRun& what, StoredTrace& trace) {
  RunModel model;
  if (decode_trace(read_file(what.file), trace)) {
    SiteNames names;
    if (!what.target.empty()) names = sites_of(what.target, sites_in(trace));
    model = make_model(trace, {}, names);
  } else {
    if (what.target.empty()) throw Failure(kUsage, fmt::format("{} is no recorded run: name the fuzz target, whose run of it is shown: --target TARGET", what.file));
    RunRecord record = record_run(what.target, what.file, what.timeout);
    trace = std::move(record.trace);
    model = make_model(trace, record.words, {});
    const std::string summary = summary_line(record.output);
    model.place = place_in_summary(summary);
    model.report = report_in(what.source ? record.output : without_source(record.output));
    if (!summary.empty()) name_finding(model, kind_in_summary(summary));
  }
  model.target = what.target;
  model.file = what.file;
  return model;
}

void write_text(const ShowRun& what, const std::string& text) {
  if (what.output.empty() || what.output == "-") return print(text);
  write_file(what.output, text.data(), text.size());
}

// Beside the input, but with another beginning: crash-* means inputs.
std::string page_of(const std::string& file) {
  const std::filesystem::path path = file;
  return (path.parent_path() / ("run-" + path.filename().string() + ".html")).string();
}

}  // namespace

void show_run(const ShowRun& what) {
  StoredTrace trace;
  const RunModel model = model_of(what, trace);
  if (what.form == RunForm::html) return write_page(run_page(model, what.source), what.output, page_of(what.file));
  if (what.form == RunForm::dot && model.rows.size() > kManyNodes) {
    fmt::print(stderr, "heddle: the graph has {} nodes: Graphviz takes long for it. heddle minimize makes the input smaller\n", model.rows.size());
  }
  if (what.form == RunForm::dot) return write_text(what, run_dot(model, trace));
  if (model.rows.empty()) throw Failure(kUsage, fmt::format("{}: the run has no operation to draw", what.file));
  if (picture_rows(model).empty()) {
    throw Failure(kUsage, fmt::format("{}: {} operations are too many for a picture of at most {} rows: minimize the input first (heddle minimize), or use --html", what.file,
                                      model.rows.size(), kMostPictureRows));
  }
  write_text(what, run_svg(model));
}

}  // namespace heddle::cli
