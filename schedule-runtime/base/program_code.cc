#include "base/program_code.h"

#include <link.h>

#include <algorithm>
#include <cstddef>

#include "base/cxx_library.h"
#include "base/module_kind.h"

extern "C" {
// The bounds of the executable's code, from the linker.
extern __attribute__((weak, visibility("hidden"))) const char __executable_start[], _etext[];
}

namespace heddle::rt {
namespace {

struct Code {
  uintptr_t begin, size;
  bool contains(uintptr_t pc) const { return pc - begin < size; }
};

// Of instrumented libraries. They stay loaded (intercept/process/library.cc).
struct Libraries {
  static constexpr size_t kMost = 256;  // the code of further ones counts as not instrumented
  Code code[kMost];
  size_t count;
  Code all;  // from the first to the last
};
constinit Libraries g_libraries = {};
constinit bool g_ran = false;

bool in_executable(uintptr_t pc) { return pc >= reinterpret_cast<uintptr_t>(__executable_start) && pc < reinterpret_cast<uintptr_t>(_etext); }

bool in_instrumented_library(uintptr_t pc) {
  if (__builtin_expect(!g_libraries.all.contains(pc), 1)) return false;
  for (size_t i = 0; i < g_libraries.count; ++i) {
    if (g_libraries.code[i].contains(pc)) return true;
  }
  return false;
}

void add(Code code) {
  Libraries& all = g_libraries;
  if (all.count == Libraries::kMost) return;
  all.code[all.count++] = code;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (size_t i = 0; i < all.count; ++i) {
    begin = std::min(begin, all.code[i].begin);
    end = std::max(end, all.code[i].begin + all.code[i].size);
  }
  all.all = {begin, end - begin};
}

}  // namespace

bool of_own_code(uintptr_t pc) { return in_executable(pc) || in_instrumented_library(pc); }

bool of_program(uintptr_t pc) { return of_own_code(pc) || in_cxx_library(pc); }

bool program_code_ran() { return g_ran; }

void program_code_at(uintptr_t pc) {
  g_ran = true;
  if (of_own_code(pc)) return;
  dl_iterate_phdr(
      [](dl_phdr_info* module, size_t, void* wanted) {
        bool found = false;
        each_code_segment(*module, [&](uintptr_t begin, size_t size) {
          const Code code = {begin, size};
          if (!code.contains(*static_cast<uintptr_t*>(wanted))) return;
          add(code);
          found = true;
        });
        return found ? 1 : 0;
      },
      &pc);
}

}  // namespace heddle::rt
