// system() and popen(). The command of a whole program runs to its end in one step, as one operation on files: no other thread runs meanwhile.
// heddle does not control what the command does.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "base/raw_syscall.h"
#include "intercept/descriptors/other_program.h"
#include "intercept/descriptors/own_path.h"

using namespace heddle::rt;

HEDDLE_REAL_OR_ASAN(int, system, (const char*));
HEDDLE_REAL_OR_ASAN(FILE*, popen, (const char*, const char*));
HEDDLE_REAL_OR_ASAN(int, pclose, (FILE*));
HEDDLE_REAL_OR_ASAN(FILE*, fdopen, (int, const char*));
HEDDLE_REAL_OR_ASAN(int, fclose, (FILE*));

namespace {

int run(const char* command) {
  const OtherProgramRuns running;
  if (!in_program()) return real_system(command);
  const EnvironmentInExecution environment(__environ);
  char** const own = std::exchange(__environ, const_cast<char**>(environment.words()));
  const int status = real_system(command);
  __environ = own;
  return status;
}

int run_as_operation(const char* command, Place place) {
  file_call(heddle::Kind::file_write, {.call = "system"}, place);
  return run(command);
}

// A file takes the place of the pipe. The command has run before the program reads its output, and runs when the program has written all input.
struct PipedCommand {
  static constexpr size_t kMost = 16;
  static constexpr size_t kLongest = 4096;
  bool taken;
  uint64_t execution;  // by which
  FILE* stream;
  bool written;
  int status;
  char command[kLongest];
};
constinit PipedCommand g_piped[PipedCommand::kMost] = {};

PipedCommand* piped(FILE* stream) {
  for (PipedCommand& p : g_piped) {
    if (p.taken && p.execution == engine().executions() && p.stream == stream) return &p;
  }
  return nullptr;
}

PipedCommand* take_entry() {
  for (PipedCommand& p : g_piped) {
    if (p.taken && p.execution == engine().executions()) continue;
    p.taken = true;
    p.execution = engine().executions();
    p.stream = nullptr;
    return &p;
  }
  return nullptr;
}

// The command, with the file as its input or output. False: it is too long.
bool redirect(const char* command, bool written, int file, char (&out)[PipedCommand::kLongest]) {
  const int length = snprintf(out, sizeof out, "(%s\n) %c /proc/self/fd/%d", command, written ? '<' : '>', file);
  return length > 0 && static_cast<size_t>(length) < sizeof out;
}

FILE* open_command(const char* command, const char* mode, Place place) {
  path_read(reinterpret_cast<Word>(command), place);
  const bool written = mode[0] == 'w';
  PipedCommand* const p = take_entry();
  const long file = p != nullptr && (written || mode[0] == 'r') ? raw_syscall(SYS_memfd_create, word("popen"), 0) : -EINVAL;
  if (file < 0 || !redirect(command, written, static_cast<int>(file), p->command)) {
    if (file >= 0) raw_syscall(SYS_close, static_cast<uintptr_t>(file));
    if (p != nullptr) p->taken = false;
    errno = file < 0 ? static_cast<int>(-file) : E2BIG;
    return nullptr;
  }
  p->written = written;
  if (!written) p->status = run_as_operation(p->command, place);  // other threads may come here meanwhile
  return p->stream = real_fdopen(static_cast<int>(file), written ? "w" : "r");
}

int close_command(PipedCommand& p, Place place) {
  if (p.written) {
    fflush(p.stream);
    p.status = run_as_operation(p.command, place);
  }
  real_fclose(p.stream);
  p.taken = false;
  return p.status;
}

}  // namespace

HEDDLE_SHIM int system(const char* command) {
  const Place here = HEDDLE_HERE;
  refuse_in_harness("system", here);
  if (!in_program() || command == nullptr) return run(command);
  path_read(reinterpret_cast<Word>(command), here);
  return run_as_operation(command, here);
}

HEDDLE_SHIM FILE* popen(const char* command, const char* mode) {
  refuse_in_harness("popen", HEDDLE_HERE);
  if (in_program()) return open_command(command, mode, HEDDLE_HERE);
  heddle::fiber::thread_pointer_trap().set(false);
  return real_popen(command, mode);
}

HEDDLE_SHIM int pclose(FILE* stream) {
  if (PipedCommand* const p = in_program() && stream != nullptr ? piped(stream) : nullptr) return close_command(*p, HEDDLE_HERE);
  return real_pclose(stream);
}
