#include "harness/driver/constructors.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/line.h"
#include "base/path.h"
#include "base/writable_memory.h"
#include "harness/driver/exec_state.h"
#include "harness/driver/whole_program.h"
#include "intercept/threads/early_threads.h"

using Constructor = void (*)(int, char**, char**);

// Entries of .init_array. From harness/link: one before the program's first entry, and two around heddle's own. From the linker: the end.
extern "C" {
__attribute__((weak, visibility("hidden"))) extern Constructor heddle_constructors_begin;
__attribute__((visibility("hidden"))) extern Constructor heddle_own_constructors_begin, heddle_own_constructors_end;
__attribute__((weak, visibility("hidden"))) extern Constructor __init_array_end[];
}

namespace heddle::driver {
namespace {

constexpr const char* kMark = "HEDDLE_CONSTRUCTORS_IN_EXECUTIONS";

constinit int g_argc = 0;
constinit char** g_argv = nullptr;
constinit std::vector<Constructor>* g_taken = nullptr;  // never destroyed
constinit const ExecState* g_before = nullptr;          // never destroyed

void begin_anew() {
  rt::set_early_thread_hook(nullptr);
  if (runs_uncontrolled(g_argc, g_argv)) return;
  if (const char* const path = rt::executable_path()) {
    setenv(kMark, "1", 1);
    g_before->put_back();
    execve(path, g_argv, __environ);
    unsetenv(kMark);
  }
  rt::print_line(2, "heddle: warning: a constructor starts a thread, and heddle could not restart the process to control it\n");
}

void do_nothing(int, char**, char**) {}

// libc calls the entries of .init_array one after the other, and reads each entry immediately before its call.
void take_constructors() {
  Constructor* const begin = &heddle_constructors_begin + 1;
  Constructor* const end = __init_array_end;
  if (!rt::make_writable(begin, end)) return;
  g_taken = new std::vector<Constructor>;
  for (Constructor* c = begin; c != end; ++c) {
    if (c >= &heddle_own_constructors_begin && c <= &heddle_own_constructors_end) continue;
    g_taken->push_back(*c);
    *c = do_nothing;
  }
}

// The first priority that a program can use. It comes before constructors without a priority.
__attribute__((constructor(101))) void before_constructors(int argc, char** argv, char**) {
  if (!is_program() || &heddle_constructors_begin == nullptr || &heddle_constructors_begin >= __init_array_end) return;
  g_argc = argc;
  g_argv = argv;
  if (std::getenv(kMark) == nullptr) {
    g_before = new ExecState;
    rt::set_early_thread_hook(begin_anew);
  } else {
    unsetenv(kMark);
    take_constructors();
  }
}

}  // namespace

void run_constructors(int argc, char** argv, char** environment) {
  if (g_taken == nullptr) return;
  for (const Constructor constructor : *g_taken) constructor(argc, argv, environment);
}

void end_constructors() { rt::set_early_thread_hook(nullptr); }

}  // namespace heddle::driver
