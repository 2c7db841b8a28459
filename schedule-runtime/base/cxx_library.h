// libc++: a library that is not instrumented and that counts as part of the program, linked in any way. If a target is linked with libc++'s
// archive, the library is in the executable, among the program's code and variables. So the shared library is treated in the same way.
//
// (libstdc++ needs no such treatment: it is mostly headers, and its shared library has few variables and allocates little. libc++'s library
// contains std::mutex, std::string, call_once, atomic waits and streams.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// True if the path is that of libc++'s shared library.
bool is_cxx_library(const char* path);

// All code of the library lies in this range. Until the range is known, it covers everything.
struct CxxLibraryBounds {
  uintptr_t begin, size;
};
extern CxxLibraryBounds g_cxx_library_bounds;
bool find_in_cxx_library(uintptr_t pc);

// Whether the code is in the shared library. May be called at any time, even before initialisation.
[[gnu::always_inline]] inline bool in_cxx_library(uintptr_t pc) {
  return __builtin_expect(pc - g_cxx_library_bounds.begin < g_cxx_library_bounds.size, 0) && find_in_cxx_library(pc);
}

// std::cin, cout, cerr, clog and their wide forms. Any thread may write to them at any time, and the library's headers change their state
// during use.
struct CxxStream {
  void* object;
  size_t size;
};
inline constexpr size_t kCxxStreams = 8;
// Returns their number.
size_t find_cxx_streams(CxxStream (&out)[kCxxStreams]);

}  // namespace heddle::rt
