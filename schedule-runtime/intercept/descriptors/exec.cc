// exec and posix_spawn in a whole program. As with system(), the other program runs to its end in one step, as one operation on files. heddle does
// not control it. A process that calls exec ends as the other program did.
//
// Each call goes to posix_spawn: it says why a program cannot be started, and this process stays what it is, to tell its parent how the other has
// ended.
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "intercept/descriptors/other_program.h"
#include "intercept/descriptors/other_program_end.h"
#include "intercept/descriptors/own_path.h"
#include "intercept/library_access.h"
#include "primitives/program_process.h"

using namespace heddle::rt;

using Words = char* const*;
using Actions = posix_spawn_file_actions_t;
using Attributes = posix_spawnattr_t;

HEDDLE_REAL_OR_ASAN(int, posix_spawn, (pid_t*, const char*, const Actions*, const Attributes*, Words, Words));
HEDDLE_REAL_OR_ASAN(int, posix_spawnp, (pid_t*, const char*, const Actions*, const Attributes*, Words, Words));
HEDDLE_REAL(execve);
HEDDLE_REAL(execvpe);
HEDDLE_REAL(fexecve);

namespace {

struct Start {
  const char* name;  // of the call
  const char* program;
  bool search;  // in the directories of PATH
  const Actions* actions = nullptr;
  const Attributes* attributes = nullptr;
  Words arguments, environment;
};

auto& real_of(const Start& start) { return start.search ? real_posix_spawnp : real_posix_spawn; }

// Outside of executions: libFuzzer itself runs commands.
template <typename Call>
int pass_on(Call call) {
  heddle::fiber::thread_pointer_trap().set(false);
  return call();
}

// An error number, and then nothing has happened; or 0, and the other program has ended.
int run(const Start& start, int& wait_status, Place place) {
  refuse_in_harness(start.name, place);
  engine().watch_from_the_start();
  path_read(reinterpret_cast<Word>(start.program), place);
  file_call(heddle::Kind::file_write, {.call = start.name, .named = start.program}, place);
  const OwnPath own(reinterpret_cast<Word>(start.program), false);
  const char* const program = reinterpret_cast<const char*>(own.word());
  const EnvironmentInExecution environment(start.environment);
  bool ended;
  {
    const OtherProgramRuns running;
    pid_t process;
    if (const int error = real_of(start)(&process, program, start.actions, start.attributes, start.arguments, environment.words())) return error;
    ended = wait_for_other_program(process, wait_status);
  }
  if (!ended)
    refuse(start.name, place, "the other program runs to its end first, but it waits for what this one does later. Run the tests in one process");
  return 0;
}

// Returns only if the program could not be started.
int become(const Start& start, Place place) {
  int status;
  errno = run(start, status, place);
  if (errno != 0) return -1;
  char how[64];
  snprintf(how, sizeof how, "the program of %s()", start.name);
  if (WIFSIGNALED(status)) end_program_by_signal(WTERMSIG(status), place, how);
  exit_program(WEXITSTATUS(status), Ending::at_once, place, how);
}

int spawn(const Start& start, pid_t* process, Place place) {
  if (current_thread() == nullptr) return pass_on([&] { return real_of(start)(process, start.program, start.actions, start.attributes, start.arguments, start.environment); });
  int status;
  if (const int error = run(start, status, place)) return error;
  const pid_t number = primitives::process_spawned(status, place);
  if (process != nullptr) *process = number;
  value_accessed(process, true, place);
  kill(program_process().number, SIGCHLD);
  return 0;
}

int execute(const Start& start, Place place) {
  if (current_thread() != nullptr) return become(start, place);
  return pass_on([&] { return start.search ? real_execvpe(start.program, start.arguments, start.environment) : real_execve(start.program, start.arguments, start.environment); });
}

}  // namespace

// The forms with a list of arguments that a null pointer ends. `the_environment` may take what follows in the list.
#define HEDDLE_EXEC_LIST(call, searches, the_environment)                                                     \
  HEDDLE_SHIM int call(const char* program, const char* first, ...) noexcept {                                \
    va_list list;                                                                                             \
    va_start(list, first);                                                                                    \
    size_t count = 1;                                                                                         \
    if (first != nullptr) {                                                                                   \
      do ++count;                                                                                             \
      while (va_arg(list, const char*) != nullptr);                                                           \
    }                                                                                                         \
    va_end(list);                                                                                             \
    char** const arguments = static_cast<char**>(__builtin_alloca(count * sizeof(char*)));                    \
    va_start(list, first);                                                                                    \
    arguments[0] = const_cast<char*>(first);                                                                  \
    for (size_t i = 1; i < count; ++i) arguments[i] = va_arg(list, char*);                                    \
    const Words environment = the_environment;                                                                \
    va_end(list);                                                                                             \
    return execute({.name = #call, .program = program, .search = searches, .arguments = arguments, .environment = environment}, HEDDLE_HERE); \
  }

HEDDLE_EXEC_LIST(execl, false, __environ)
HEDDLE_EXEC_LIST(execlp, true, __environ)
HEDDLE_EXEC_LIST(execle, false, va_arg(list, Words))

HEDDLE_SHIM int execv(const char* program, Words arguments) noexcept {
  return execute({.name = "execv", .program = program, .search = false, .arguments = arguments, .environment = __environ}, HEDDLE_HERE);
}

HEDDLE_SHIM int execve(const char* program, Words arguments, Words environment) noexcept {
  return execute({.name = "execve", .program = program, .search = false, .arguments = arguments, .environment = environment}, HEDDLE_HERE);
}

HEDDLE_SHIM int execvp(const char* program, Words arguments) noexcept {
  return execute({.name = "execvp", .program = program, .search = true, .arguments = arguments, .environment = __environ}, HEDDLE_HERE);
}

HEDDLE_SHIM int execvpe(const char* program, Words arguments, Words environment) noexcept {
  return execute({.name = "execvpe", .program = program, .search = true, .arguments = arguments, .environment = environment}, HEDDLE_HERE);
}

HEDDLE_SHIM int fexecve(int file, Words arguments, Words environment) noexcept {
  if (current_thread() == nullptr) return pass_on([&] { return real_fexecve(file, arguments, environment); });
  char program[32];
  snprintf(program, sizeof program, "/proc/self/fd/%d", file);
  return become({.name = "fexecve", .program = program, .search = false, .arguments = arguments, .environment = environment}, HEDDLE_HERE);
}

HEDDLE_SHIM int posix_spawn(pid_t* process, const char* program, const Actions* actions, const Attributes* attributes, Words arguments, Words environment) {
  return spawn({.name = "posix_spawn", .program = program, .search = false, .actions = actions, .attributes = attributes, .arguments = arguments, .environment = environment}, process, HEDDLE_HERE);
}

HEDDLE_SHIM int posix_spawnp(pid_t* process, const char* program, const Actions* actions, const Attributes* attributes, Words arguments, Words environment) {
  return spawn({.name = "posix_spawnp", .program = program, .search = true, .actions = actions, .attributes = attributes, .arguments = arguments, .environment = environment}, process, HEDDLE_HERE);
}
