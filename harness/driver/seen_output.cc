#include "harness/driver/seen_output.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "analyses/race_list.h"
#include "analyses/weak_orders.h"
#include "base/line.h"
#include "base/process_exit.h"
#include "engine/engine.h"
#include "harness/driver/engine_flag.h"
#include "schema/seen_file.h"

namespace heddle::driver {
namespace {

constinit int shared_file = -1;  // of the processes of one campaign
constinit int jobs_file = -1;    // where this process reads what its jobs have written

std::string text_of_jobs() {
  std::string text(static_cast<size_t>(lseek(jobs_file, 0, SEEK_END)), '\0');
  text.resize(static_cast<size_t>(std::max<ssize_t>(0, pread(jobs_file, text.data(), text.size(), 0))));
  return text;
}

void print_weak_orders(std::string_view words) {
  if (!words.empty()) rt::print_line(2, "heddle: note: %.*s. %s\n", static_cast<int>(words.size()), words.data(), kWeakOrdersAdvice);
}

void print_seen_of_jobs() {
  const std::string text = text_of_jobs();
  const std::set<std::string> lines = races_in(text);
  if (!lines.empty()) rt::print_races_note(2, static_cast<uint32_t>(lines.size()));
  for (const std::string& line : lines) rt::print_line(2, "heddle:   %s\n", line.c_str());
  print_weak_orders(weak_orders_in(text));
}

void tell_weak_orders() {
  static constinit rt::Text words, line;
  words.clear();
  rt::put_weak_orders(words);
  if (words.view().empty()) return;
  if (shared_file < 0) return print_weak_orders(words.view());
  line.clear();
  line.put(kWeakOrdersMark);
  line.put(words.view());
  line.put("\n");
  line.flush(shared_file);
}

}  // namespace

void collect_seen_of_jobs(int argc, char** argv) {
  if (engine_flag(argc, argv, "-fork=").value_or("0") == "0" || std::getenv(kSeenFileVariable) != nullptr) return;
  jobs_file = memfd_create("heddle-seen", MFD_CLOEXEC);
  if (jobs_file < 0) return;
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), jobs_file);
  setenv(kSeenFileVariable, path, 1);
  rt::at_process_exit(print_seen_of_jobs);
}

void begin_seen_output() {
  const char* const path = std::getenv(kSeenFileVariable);
  if (path == nullptr) return;
  shared_file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  unsetenv(kSeenFileVariable);  // the program could see it
}

void tell_seen(bool dying) {
  const rt::Uncontrolled scope;
  if (shared_file >= 0) rt::write_races_seen(shared_file);
  else if (!dying) rt::print_races_seen(2);
  if (!dying) tell_weak_orders();
}

}  // namespace heddle::driver
