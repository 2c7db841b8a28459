#include "harness/driver/choose_restore.h"

#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>

#include "analyses/report/symbolizer.h"
#include "base/afl.h"
#include "base/asan.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "base/options.h"
#include "engine/run.h"
#include "harness/driver/engine_names.h"
#include "harness/driver/fork_server.h"
#include "harness/driver/library_watch.h"
#include "harness/driver/streams.h"
#include "harness/driver/whole_program.h"
#include "heap/early_heap.h"
#include "intercept/process/test_frameworks.h"
#include "restore/process_state.h"

namespace heddle::driver {
namespace {

struct Choice {
  bool forks = false;
  bool ran = false;     // an execution in this process
  bool warned = false;
  bool left_traces = false;
  bool told_ignored = false;
  bool told_exit_code = false;
  std::optional<LibraryWatch> libraries;
};

Choice& choice() {
  static auto* the = new Choice;  // never destroyed
  return *the;
}

void fork_because(const char* when, const char* why) {
  choice().forks = true;
  rt::print_line(2, "heddle: %seach execution runs in a forked process, because %s\n", when, why);
}

// What the last execution in this process has changed that the next one would see.
void look_for_traces() {
  Choice& c = choice();
  std::string why;
  if (const char* call = rt::unrestorable_call()) {
    why = std::string("the effect of ") + call + " cannot be undone";
  } else if (const std::string library = c.libraries->changed(); !library.empty()) {
    why = library + " is not instrumented and keeps state";
  } else {
    return;
  }
  c.left_traces = true;
  if (has_fork_server()) return fork_because("from now on ", why.c_str());
  if (!c.warned) rt::print_line(2, "heddle: warning: executions do not all start from the same state: %s\n", why.c_str());
  c.warned = true;
}

// Tests say so if they fail in one schedule only.
void look_at_exit_code(int code) {
  if ((code & 0xFF) == 0 || rt::options().report_exit || choice().told_exit_code) return;
  choice().told_exit_code = true;
  rt::print_line(2, "heddle: note: an execution ended with exit code %d. If that is a failure: HEDDLE_OPTIONS=report_exit=1\n", code & 0xFF);
}

}  // namespace

void prepare_restore() {
  const std::string_view wanted = rt::options().restore;
  if (wanted != "process" && wanted != "fork" && wanted != "auto") {
    rt::print_line(2, "heddle: HEDDLE_OPTIONS: restore must be process, fork or auto\n");
    _exit(rt::kUsageExit);
  }
  capture_streams();
  // AFL++ forks by itself before the first execution. So wait until after that.
  if (wanted != "process" && !rt::afl_linked()) start_fork_server();
}

void choose_restore() {
  const std::string_view wanted = rt::options().restore;
  Choice& c = choice();
  if (wanted != "process" && (has_fork_server() || start_fork_server())) {
    send_outputs();
    if (wanted == "fork") {
      fork_because("", "HEDDLE_OPTIONS contains restore=fork");
    } else if (engine_allocates_with_program()) {
      fork_because("", "libFuzzer allocates with the program's operator new, whose variables cannot be put back");
    } else {
      const Measurement found = measure_in_child();
      if (!found.complete && !found.found) fork_because("", "the default schedule takes too long or is killed, so that executions cannot be compared");
      else if (!found.complete && found.executions != 0) fork_because("", "a second execution in the same process ends in another way than the first");
      else if (!found.complete) fork_because("", "the default schedule ends in a finding, so that executions cannot be compared");
      else if (!found.sound) fork_because("", found.why);
      const char* const advice = found.forks ? rt::advice_for_fork(nullptr) : nullptr;
      if (advice != nullptr) rt::print_line(2, "heddle: note: these processes make executions slow: %s\n", advice);
      if (found.complete && (found.exit_code & 0xFF) != 0 && !rt::options().report_exit) {
        c.told_exit_code = true;
        rt::print_line(2, "heddle: note: the program ends with exit code %d (to report that: HEDDLE_OPTIONS=report_exit=1)\n", found.exit_code & 0xFF);
      }
    }
  }
  if (c.forks) return;
  rt::print_line(2, "heddle: the program's state is restored in process between executions\n");
  rt::capture_process_state();
  c.libraries.emplace();
}

bool can_restore_in_process() { return std::string_view(rt::options().restore) != "fork" && !(rt::asan_linked() && rt::early_heap::size() != 0); }

void restore_in_process() {
  capture_streams();
  rt::capture_process_state();
  choice().libraries.emplace();
}

bool left_traces() { return choice().left_traces; }

const RunSummary& run_program(std::span<const uint8_t> input) {
  Choice& c = choice();
  if (c.forks) {
    const RunSummary& run = run_forked(input);
    look_at_exit_code(forked_exit_code());
    return run;
  }
  constexpr auto put_back = [] {
    rt::restore_process_state();
    restore_streams();
  };
  if (c.ran) put_back();
  c.ran = true;
  const RunSummary& run = rt::run_one(input, program_body, put_back);
  if ((run.flags & kRunFinding) != 0) rt::stop_symbolizer();  // its pipes would be closed
  look_at_exit_code(rt::last_body_result());
  look_for_traces();
  return run;
}

void tell_ignored() {
  if (rt::ignored_call() == nullptr || choice().told_ignored) return;  // a program may set its watchdog in each execution
  choice().told_ignored = true;
  rt::print_line(2, "heddle: note: %s interrupts no running thread: no real time passes in an execution\n", rt::ignored_call());
}

}  // namespace heddle::driver
