#include "harness/driver/trace_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "analyses/die.h"
#include "analyses/report/positions.h"
#include "base/line.h"
#include "base/options.h"
#include "engine/engine.h"
#include "harness/driver/readable_function.h"
#include "harness/driver/run_output.h"
#include "schema/trace_file.h"
#include "trace/observer.h"
#include "trace/recorder.h"
#include "trace/sites.h"

namespace heddle::driver {
namespace {

void complain(const char* path) {
  static bool said = false;  // not for each of a million runs
  if (!said) rt::print_line(2, "heddle: cannot write %s: %s\n", path, std::strerror(errno));
  said = true;
}

void save(const char* path, const void* data, size_t size) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return complain(path);
  const bool written = rt::write_all(fd, static_cast<const char*>(data), size);
  const bool closed = close(fd) == 0;
  if (!written || !closed) complain(path);
}

// Without a source line, the function is that of the machine code.
std::string function_of(const rt::SiteInfo& site, const rt::Frame& frame) {
  if (frame.file != nullptr) return frame.function;
  return site.function != nullptr ? readable_function(site.function) : std::string();
}

// One site per line: "SITE SYMBOL+0xOFFSET FILE:LINE in FUNCTION"; "??" for unknown parts. The function is named as in reports.
std::string site_table() {
  std::string out;
  const rt::SiteTable& sites = rt::sites();
  for (uint32_t i = 0; i < sites.size(); ++i) {
    const rt::SiteInfo& site = sites[i];
    char head[64];
    std::snprintf(head, sizeof head, "%016llx ", static_cast<unsigned long long>(site.id));
    out += head;
    out += site.function != nullptr ? site.function : "??";
    std::snprintf(head, sizeof head, "+0x%x ", site.offset);
    out += head;
    const rt::Frame& frame = rt::user_frame(i);
    out += frame.file != nullptr ? frame.file + (":" + std::to_string(frame.line)) : std::string("??");
    if (const std::string function = function_of(site, frame); !function.empty()) out += " in " + function;
    out += '\n';
  }
  return out;
}

void save_sites() {
  static uint32_t written = 0;
  const rt::Options& options = rt::options();
  if (options.sites_path[0] == 0 || rt::sites().size() == written) return;
  written = rt::sites().size();
  const std::string table = site_table();
  save(options.sites_path, table.data(), table.size());
}

// Whether the whole file is hexadecimal numbers with white space between them.
bool read_numbers(const char* path, std::vector<SiteId>& numbers) {
  FILE* const file = fopen(path, "re");
  if (file == nullptr) return false;
  std::string text;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, file)) != 0;) text.append(part, n);
  const bool read = ferror(file) == 0;
  fclose(file);
  const char* at = text.c_str();
  for (char* end;; at = end) {
    const SiteId number = std::strtoull(at, &end, 16);
    if (end == at) break;
    numbers.push_back(number);
  }
  return read && at[std::strspn(at, " \t\n\v\f\r")] == 0;
}

void look_up_wanted() {
  std::vector<SiteId> ids;
  if (!read_numbers(rt::options().sites_wanted, ids)) rt::print_line(2, "heddle: %s does not contain numbers of code positions\n", rt::options().sites_wanted);
  rt::look_up_sites(ids.data(), ids.size());
}

bool wanted() {
  const rt::Options& options = rt::options();
  return options.trace_path[0] != 0 || options.trace_text[0] != 0 || options.run_path[0] != 0 || options.sites_path[0] != 0;
}

constinit bool begun = false;

void execution_ended(RunSummary& run) {
  if (!begun) return;
  const rt::Options& options = rt::options();
  if (options.trace_path[0] != 0) {
    RunSummary told = run;
    told.comparison_count = 0;  // only for mutators, because a value may be derived from an address
    const auto bytes = encode_trace(told);
    save(options.trace_path, bytes.data(), bytes.size());
  }
  if (options.trace_text[0] != 0) {
    const std::string text = trace_to_text(run);
    save(options.trace_text, text.data(), text.size());
  }
  save_run(run);
  save_sites();
}

constexpr rt::Observer kTraceOutput = {"trace output", execution_ended};

}  // namespace

void install_trace_output() {
  if (wanted()) rt::add_observer(kTraceOutput);
}

void save_unfinished_trace() {
  if (!wanted()) return;
  RunSummary run = rt::recorder().publish();
  if (run.steps == 0) run.steps = run.event_count;
  execution_ended(run);
}

void begin_trace_output() {
  begun = true;
  install_run_output();
  if (rt::options().sites_wanted[0] == 0) return;
  look_up_wanted();
  save_sites();  // the run may have no end
}

}  // namespace heddle::driver
