#include "engine/program_exit.h"

#include <stdio.h>
#include <stdio_ext.h>

#include "base/line.h"
#include "fiber/thread_exit.h"
#include "restore/exit_handlers.h"

extern "C" {
// The object behind stdout. The program may define the name `stdout` itself.
extern __attribute__((weak)) _IO_FILE _IO_2_1_stdout_;
// From the linker's --wrap. Absent in a binary that was linked without it.
__attribute__((weak)) int __real_LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
__attribute__((weak)) int __real_main(int argc, char** argv, char** environment);
// The main of a target whose program has none (harness/driver/start_main.cc).
__attribute__((weak, visibility("hidden"))) int heddle_no_main(int argc, char** argv, char** environment);
}

namespace heddle::rt {
namespace {

constinit bool g_running = false;
constinit const Thread* g_exiting = nullptr;
constinit const Thread* g_ended = nullptr;  // has come to the end; what the others may still do, until the execution ends, is not to end it again
constinit void (*g_flush)() = nullptr;
constinit ProgramProcess g_process;
constinit int g_wait_status = 0;

bool never(const Pending&) { return false; }

// A choice point: other threads may run before and after it.
void choice_point(Place place) {
  const Thread& t = *current_thread();
  engine().commit(engine().arrive({.kind = Kind::process_exit, .object = t.object, .place = place}), {.news = true});
}

// Of a thread that would end what `ender` is ending.
[[noreturn]] void wait_for_the_end(const Thread& ender, Place place) {
  engine().arrive({.kind = Kind::process_exit, .object = ender.object, .place = place, .may_go = never});
  __builtin_unreachable();
}

// What the exit code of a child process means, its parent decides.
void report_status(int status, Place place, const char* how) {
  if (in_child_process()) return;
  if (!is_reported(FindingType::exit_code) || (status & 0xFF) == 0) return;
  char detail[128];
  snprintf(detail, sizeof detail, "%s ends the program with exit code %d", how, status & 0xFF);
  engine().misuse(FindingType::exit_code, nullptr, place, kNoEvent, kNoEvent, detail);
}

}  // namespace

bool program_target() {
  return &__real_main != nullptr && &__real_main != &heddle_no_main && &__real_LLVMFuzzerTestOneInput == nullptr;
}

void begin_program() {
  g_running = true;
  g_exiting = nullptr;
  g_ended = nullptr;
  g_process = {};
  g_wait_status = 0;
}

const ProgramProcess& program_process() { return g_process; }
bool in_child_process() { return g_process.parent != ProgramProcess{}.parent; }
void become_program_process(int number) { g_process = {number, g_process.number}; }
int program_wait_status() { return g_wait_status; }

bool in_program() { return g_running && current_thread() != nullptr; }

void set_stream_flush(void (*flush)()) { g_flush = flush; }

void exit_program(int status, Ending ending, Place place, const char* how) {
  Thread& t = *current_thread();
  choice_point(place);
  if (g_ended != nullptr) wait_for_the_end(*g_ended, place);
  if (ending != Ending::at_once) {
    if (g_exiting == nullptr) {
      g_exiting = &t;
      if (ending == Ending::handlers) fiber::run_thread_destructors();
    } else if (g_exiting != &t) {
      wait_for_the_end(*g_exiting, place);  // as in glibc from 2.41 on
    }
    const bool quick = ending == Ending::quick_handlers;
    while (run_exit_handler(quick, status)) choice_point(place);
    if (g_ended != nullptr) wait_for_the_end(*g_ended, place);
    if (!quick) {
      const Uncontrolled outside;
      if (g_flush != nullptr) g_flush();
      fflush(nullptr);
    }
  }
  __fpurge(&_IO_2_1_stdout_);  // output that is lost with the process must not appear when the engine exits
  report_status(status, place, how);
  g_ended = &t;
  if (g_wait_status == 0) g_wait_status = (status & 0xFF) << 8;
  engine().end_process(status);
}

void end_program_by_signal(int number, Place place, const char* how) {
  g_wait_status = number;
  exit_program(128 + number, Ending::at_once, place, how);
}

void last_thread_of_program_ends(const Thread& t) {
  if (!g_running || g_exiting != nullptr || g_ended != nullptr) return;
  exit_program(0, Ending::handlers, {t.start_pc, 0}, "the end of the last thread");
}

}  // namespace heddle::rt
