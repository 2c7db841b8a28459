#include "analyses/report/symbolizer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "analyses/report/symbolizer_memory.h"
#include "analyses/suppressions.h"
#include "base/afl.h"
#include "base/options.h"
#include "base/path.h"
#include "base/raw_syscall.h"

extern char** __environ;

namespace heddle::rt {
namespace {

constexpr int kPatience = 20'000;  // ms for one answer: the first answer needs the debug information

enum class State { unknown, running, absent };
constinit State g_state = State::unknown;
constinit bool g_has_answered = false;
constinit bool g_takes_library_path = false;
constinit int g_to = -1;
constinit int g_from = -1;
constinit long g_child = 0;
constinit char g_answer[16384] = {};
constinit SymbolizerMemory* g_memory = nullptr;

bool executable(const char* path) {
  return raw_syscall(SYS_faccessat, static_cast<uintptr_t>(AT_FDCWD), word(path), X_OK) == 0;
}

bool in_path(const char* name, char* out, size_t size) {
  const char* path = getenv("PATH");
  while (path != nullptr && *path != 0) {
    const char* end = strchr(path, ':');
    const int n = static_cast<int>(end != nullptr ? end - path : static_cast<ptrdiff_t>(strlen(path)));
    if (snprintf(out, size, "%.*s/%s", n, path, name) < static_cast<int>(size) && n > 0 && executable(out)) return true;
    path = end != nullptr ? end + 1 : nullptr;
  }
  return false;
}

// As in the sanitizers: the symbolizer that the environment names, else the one in the path.
bool find_program(char* out, size_t size) {
  for (const char* variable : {"HEDDLE_SYMBOLIZER", "LLVM_SYMBOLIZER_PATH"}) {
    const char* named = getenv(variable);
    if (named == nullptr || *named == 0) continue;
    snprintf(out, size, "%s", named);
    return executable(out);
  }
  return in_path("llvm-symbolizer", out, size) || in_path("llvm-symbolizer-19", out, size);
}

// With these variables the symbolizer may load libraries of the target's build (a libz). They do not work without heddle's runtime.
bool is_for_libraries(const char* variable) {
  return strncmp(variable, "LD_LIBRARY_PATH=", 16) == 0 || strncmp(variable, "LD_PRELOAD=", 11) == 0;
}

// In the child, whose memory is its own.
void drop_library_path() {
  char** kept = __environ;
  for (char** variable = __environ; *variable != nullptr; ++variable) {
    if (!is_for_libraries(*variable)) *kept++ = *variable;
  }
  *kept = nullptr;
}

[[noreturn]] void child(const char* program, int in, int out) {
  // Closes everything of the fuzzing engine: its pipes and files stay with the parent.
  raw_syscall(SYS_dup3, static_cast<uintptr_t>(in), 0, 0);
  raw_syscall(SYS_dup3, static_cast<uintptr_t>(out), 1, 0);
  const long null = raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), word("/dev/null"), O_WRONLY, 0);
  if (null >= 0) raw_syscall(SYS_dup3, static_cast<uintptr_t>(null), 2, 0);
  const unsigned long none = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, word(&none), 0, sizeof none);
  if (__environ != nullptr && !g_takes_library_path) drop_library_path();
  const char* const arguments[] = {program, "--demangle", "--inlines", "--verbose", "--output-style=LLVM", "--functions=linkage", nullptr};
  raw_syscall(SYS_execve, word(program), word(arguments), word(__environ));
  raw_syscall(SYS_exit_group, 127);
  __builtin_unreachable();
}

// Suppressions name files and inlined functions, so they need an answer in any case: without it, they would let findings through. Under
// afl-fuzz, reports go to /dev/null, and reading debug information takes longer than many executions. But AFL_DEBUG shows what a target prints.
bool wanted() {
  if (any_suppressions()) return true;
  const Options& o = options();
  if (o.symbolize != Choice::automatic) return o.symbolize == Choice::yes;
  return !afl_fuzz_runs() || getenv("AFL_DEBUG") != nullptr || getenv("AFL_DEBUG_CHILD") != nullptr;
}

bool start() {
  if (g_state != State::unknown) return g_state == State::running;
  g_state = State::absent;
  static char program[4096];
  if (!find_program(program, sizeof program)) return false;
  int to[2], from[2];
  if (raw_syscall(SYS_pipe2, word(to), O_CLOEXEC) != 0 || raw_syscall(SYS_pipe2, word(from), O_CLOEXEC) != 0) return false;
  // fork without the C library's handlers: the child makes only raw system calls.
  g_child = raw_syscall(SYS_clone, SIGCHLD);
  if (g_child == 0) child(program, to[0], from[1]);
  raw_syscall(SYS_close, static_cast<uintptr_t>(to[0]));
  raw_syscall(SYS_close, static_cast<uintptr_t>(from[1]));
  if (g_child < 0) return false;
  g_to = to[1];
  g_from = from[0];
  g_state = State::running;
  return true;
}

// Whether it becomes readable within the given time.
bool wait_for_answer(int ms) {
  pollfd p = {g_from, POLLIN, 0};
  timespec time = {ms / 1000, ms % 1000 * 1000000L};
  for (;;) {
    const long n = raw_syscall(SYS_ppoll, word(&p), 1, word(&time), 0, 0);
    if (n != -4 /* EINTR */) return n > 0;
  }
}

bool send(const char* text, size_t size) {
  while (size > 0) {
    const long n = raw_syscall(SYS_write, static_cast<uintptr_t>(g_to), word(text), size);
    if (n == -4) continue;
    if (n <= 0) return false;
    text += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

// If the child is dead, writing to its pipe must not end this process.
struct NoSigpipe {
  unsigned long before = 0;
  NoSigpipe() {
    const unsigned long pipe = 1ul << (SIGPIPE - 1);
    raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, word(&pipe), word(&before), sizeof pipe);
  }
  ~NoSigpipe() {
    // A pending signal would be delivered now. Remove it first.
    const unsigned long pipe = 1ul << (SIGPIPE - 1);
    const timespec now = {};
    raw_syscall(SYS_rt_sigtimedwait, word(&pipe), 0, word(&now), sizeof pipe);
    raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, word(&before), 0, sizeof before);
  }
};

// For the symbolizer, "/proc/self/exe" would be the symbolizer itself.
const char* file_of(const char* module) {
  const char* const executable = strcmp(module, "/proc/self/exe") == 0 ? executable_path() : nullptr;
  return executable != nullptr ? executable : module;
}

std::string_view ask(const char* what, const char* module, uintptr_t offset) {
  if (module == nullptr || !wanted()) return {};
  static char question[4200];
  const int length = snprintf(question, sizeof question, "%s \"%s\" 0x%llx\n", what, file_of(module),
                              static_cast<unsigned long long>(offset));
  if (length <= 0 || length >= static_cast<int>(sizeof question)) return {};
  size_t n = 0;
  if (const char* const known = g_memory != nullptr ? g_memory->find(question, n) : nullptr; known != nullptr) return {known, n};
  if (!start()) return {};
  NoSigpipe guard;
  bool has_ended = !send(question, static_cast<size_t>(length));
  while (!has_ended && n + 1 < sizeof g_answer && wait_for_answer(kPatience)) {
    const long got = raw_syscall(SYS_read, static_cast<uintptr_t>(g_from), word(g_answer + n), sizeof g_answer - 1 - n);
    if (got == -4) continue;
    has_ended = got <= 0;
    if (has_ended) break;
    n += static_cast<size_t>(got);
    if (n < 2 || g_answer[n - 1] != '\n' || g_answer[n - 2] != '\n') continue;
    g_has_answered = true;
    if (g_memory != nullptr) g_memory->add(question, {g_answer, n - 1});
    return {g_answer, n - 1};
  }
  stop_symbolizer();
  // A symbolizer of an unusual place may need the variables that it did not get.
  if (has_ended && !g_has_answered && !g_takes_library_path) {
    g_takes_library_path = true;
    return ask(what, module, offset);
  }
  g_state = State::absent;  // it has failed, and would fail again
  return {};
}

}  // namespace

std::string_view symbolize_code(const char* module, uintptr_t offset) { return ask("CODE", module, offset); }
std::string_view symbolize_data(const char* module, uintptr_t offset) { return ask("DATA", module, offset); }

void share_symbolizer_memory(SymbolizerMemory& memory) { g_memory = &memory; }

void stop_symbolizer() {
  if (g_state == State::running) {
    raw_syscall(SYS_close, static_cast<uintptr_t>(g_to));
    raw_syscall(SYS_close, static_cast<uintptr_t>(g_from));
    raw_syscall(SYS_kill, static_cast<uintptr_t>(g_child), SIGKILL);
    raw_syscall(SYS_wait4, static_cast<uintptr_t>(g_child), 0, 0, 0);
    g_state = State::unknown;
  }
}

}  // namespace heddle::rt
