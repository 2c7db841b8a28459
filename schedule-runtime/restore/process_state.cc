#include "restore/process_state.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

#include "base/error_output.h"
#include "base/high_copy.h"
#include "base/raw_syscall.h"
#include "base/reserved_array.h"
#include "fiber/fiber.h"
#include "restore/standard_descriptors.h"

extern "C" {
extern char** __environ;
// The objects behind stdin, stdout and stderr. A program may define these names itself.
extern __attribute__((weak)) _IO_FILE _IO_2_1_stdin_, _IO_2_1_stdout_, _IO_2_1_stderr_;
// glibc's list of all streams, the latest first.
extern __attribute__((weak)) FILE* _IO_list_all;
}

namespace heddle::rt {
namespace {

constexpr unsigned kMaxDescriptors = 1024;

struct Captured {
  char** environment = nullptr;  // and what it is made of
  char** variables = nullptr;
  size_t variable_count = 0;
  char* text_begin = nullptr;
  char* text = nullptr;
  size_t text_size = 0;
  StandardDescriptors standard;
  bool open[kMaxDescriptors] = {};
  bool terminal = false;
  FILE* first_stream = nullptr;
  uint64_t libraries = 0;  // loaded so far
};
constinit Captured g;
constinit bool g_captured = false;
constinit bool g_buffers_touched = false;
constinit const char* g_unrestorable = nullptr;
constinit const char* g_ignored = nullptr;
constinit uint32_t g_libraries_opened = 0;

// How many libraries the process has loaded, closed ones included.
uint64_t libraries_loaded() {
  uint64_t count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<uint64_t*>(out) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

// At the start, the strings lie one after the other, above the stack.
void capture_environment() {
  g.environment = __environ;
  if (__environ == nullptr) return;
  while (__environ[g.variable_count] != nullptr) ++g.variable_count;
  const size_t bytes = (g.variable_count + 1) * sizeof(char*);
  g.variables = static_cast<char**>(reserve_memory(bytes));
  memcpy(g.variables, __environ, bytes);
  char* end = nullptr;
  for (size_t i = 0; i < g.variable_count; ++i) {
    if (g.text_begin == nullptr || __environ[i] < g.text_begin) g.text_begin = __environ[i];
    if (__environ[i] + strlen(__environ[i]) + 1 > end) end = __environ[i] + strlen(__environ[i]) + 1;
  }
  // If other code has set variables before, the strings can be anywhere. Then their contents are not restored.
  constexpr size_t kLargest = 8 << 20;
  const auto size = static_cast<size_t>(end - g.text_begin);
  if (g.variable_count == 0 || size > kLargest) return;
  size_t sum = 0;
  for (size_t i = 0; i < g.variable_count; ++i) sum += strlen(__environ[i]) + 1;
  if (sum != size) return;
  g.text_size = size;
  g.text = static_cast<char*>(reserve_memory(size));
  memcpy(g.text, g.text_begin, size);
}

void restore_environment() {
  if (__environ != g.environment && __environ != nullptr) {
    fiber::ignore_leak(__environ);
    for (char** variable = __environ; *variable != nullptr; ++variable) fiber::ignore_leak(*variable);
  }
  __environ = g.environment;
  if (g.variables == nullptr) return;
  const size_t bytes = (g.variable_count + 1) * sizeof(char*);
  if (memcmp(__environ, g.variables, bytes) != 0) memcpy(__environ, g.variables, bytes);
  if (g.text_size != 0 && memcmp(g.text_begin, g.text, g.text_size) != 0) memcpy(g.text_begin, g.text, g.text_size);
}

void look_at_descriptors(unsigned first) {
  for (unsigned i = first; i < kMaxDescriptors; ++i) g.open[i] = fcntl(static_cast<int>(i), F_GETFD) != -1;
}

void close_range_raw(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (raw_syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
  for (unsigned i = first; i <= last && i < kMaxDescriptors; ++i) raw_syscall(SYS_close, i);
}

void restore_descriptors() {
  g.standard.put_back();
  forget_error_output();
  unsigned first = StandardDescriptors::kCount;
  for (unsigned i = first; i < kMaxDescriptors; ++i) {
    if (!g.open[i]) continue;
    if (i > first) close_range_raw(first, i - 1);
    first = i + 1;
  }
  close_range_raw(first, UINT_MAX);
}

// Streams without a descriptor write to the program's memory when they are closed. So they are not closed.
void restore_streams() {
  if (&_IO_list_all != nullptr) {
    for (FILE* f = _IO_list_all; f != nullptr && f != g.first_stream;) {
      FILE* const next = f->_chain;
      const bool standard = is_standard_stream(f);
      if (!standard && fileno(f) >= 0) {
        __fpurge(f);
        fclose(f);
      } else if (!standard) {
        fiber::ignore_leak(f);
      }
      f = next;
    }
    _IO_list_all = g.first_stream;
  }
  for (FILE* f : {&_IO_2_1_stdin_, &_IO_2_1_stdout_, &_IO_2_1_stderr_}) {
    __fpurge(f);
    clearerr(f);
  }
}

// The program may have set its own memory as buffers. The earlier buffers are not known.
void restore_buffers() {
  static char input[BUFSIZ], output[BUFSIZ];
  setvbuf(&_IO_2_1_stdin_, input, _IOFBF, sizeof input);
  setvbuf(&_IO_2_1_stdout_, output, g.terminal ? _IOLBF : _IOFBF, sizeof output);
  setvbuf(&_IO_2_1_stderr_, nullptr, _IONBF, 0);
}

}  // namespace

void capture_process_state() {
  if (g_captured) return;
  g_captured = true;
  capture_environment();
  g.standard.copy();
  look_at_descriptors(0);
  g.libraries = libraries_loaded();
  if (&_IO_list_all != nullptr) g.first_stream = _IO_list_all;
  g.terminal = isatty(1) != 0;
}

void restore_process_state() {
  if (!g_captured) return;
  restore_streams();
  restore_descriptors();
  restore_environment();
  if (g_buffers_touched) restore_buffers();
  g_buffers_touched = false;
}

void keep_high_descriptors() {
  if (g_captured) look_at_descriptors(kHigh);
}

void touched_stream_buffers() { g_buffers_touched = true; }

void note_unrestorable(const char* call) {
  if (g_unrestorable == nullptr) g_unrestorable = call;
}

void note_ignored(const char* call) {
  if (g_ignored == nullptr) g_ignored = call;
}

void note_library_opened() { ++g_libraries_opened; }

uint32_t libraries_opened() { return g_libraries_opened; }

const char* ignored_call() { return g_ignored; }

// A program may look for a library that is not there. (OpenMP's runtime does.)
const char* unrestorable_call() {
  if (g_unrestorable == nullptr && g_libraries_opened != 0 && libraries_loaded() != g.libraries) g_unrestorable = "dlopen";
  return g_unrestorable;
}

}  // namespace heddle::rt
