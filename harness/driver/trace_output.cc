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
#include "harness/driver/plain_positions.h"
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

std::vector<PlainPosition> g_plain;  // if they are wanted

// One site per line: "SITE SYMBOL+0xOFFSET FILE:LINE in FUNCTION"; "??" for unknown parts. The function is named as in reports. Then "read SITE"
// and "write SITE" for the accesses that are wanted.
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
  for (const PlainPosition& access : g_plain) {
    char line[32];
    std::snprintf(line, sizeof line, "%s %016llx\n", access.writes ? "write" : "read", static_cast<unsigned long long>(rt::sites()[access.site].id));
    out += line;
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

bool read_text(const char* path, std::string& text) {
  FILE* const file = fopen(path, "re");
  if (file == nullptr) return false;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, file)) != 0;) text.append(part, n);
  const bool read = ferror(file) == 0;
  fclose(file);
  return read;
}

constexpr const char* kSpace = " \t\n\v\f\r";

// Whether the whole text is hexadecimal numbers with white space between them.
bool parse_numbers(const std::string& text, std::vector<SiteId>& numbers) {
  const char* at = text.c_str();
  for (char* end;; at = end) {
    const SiteId number = std::strtoull(at, &end, 16);
    if (end == at) break;
    numbers.push_back(number);
  }
  return at[std::strspn(at, kSpace)] == 0;
}

bool is_word(const std::string& text, const char* word) {
  const size_t begin = text.find_first_not_of(kSpace);
  return begin != std::string::npos && text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin) == word;
}

void look_up_wanted() {
  std::string text;
  std::vector<SiteId> ids;
  const bool read = read_text(rt::options().sites_wanted, text);
  if (read && is_word(text, "plain")) {
    g_plain = plain_positions();
    return;
  }
  if (!read || !parse_numbers(text, ids)) rt::print_line(2, "heddle: %s does not contain numbers of code positions\n", rt::options().sites_wanted);
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
