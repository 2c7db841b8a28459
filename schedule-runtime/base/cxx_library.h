// libc++: a library that is not instrumented and counts as the program's own, wherever it lies. In a target that is linked with its archive it is part of the
// executable, among the program's code and variables; so it is treated in the same way where it is a shared library.
//
// (libstdc++ is mostly headers, and what is in its shared library has few variables and asks for little memory. libc++ has std::mutex, std::string, call_once,
// atomic waits, streams in there.)
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Of a shared library, by its file.
bool is_cxx_library(const char* path);

// All of its code lies in here; everything, until it is known.
struct CxxLibraryBounds {
  uintptr_t begin, size;
};
extern CxxLibraryBounds g_cxx_library_bounds;
bool find_in_cxx_library(uintptr_t pc);

// Whether the code is of the shared library. May be asked at any time, also before anything is initialised.
[[gnu::always_inline]] inline bool in_cxx_library(uintptr_t pc) {
  return __builtin_expect(pc - g_cxx_library_bounds.begin < g_cxx_library_bounds.size, 0) && find_in_cxx_library(pc);
}

// std::cin, cout, cerr, clog and their wide forms: whoever writes to them may do so at any time, and the library's headers change them as they go.
struct CxxStream {
  void* object;
  size_t size;
};
inline constexpr size_t kCxxStreams = 8;
// How many there are.
size_t find_cxx_streams(CxxStream (&out)[kCxxStreams]);

}  // namespace heddle::rt
