// Functions that a program asks for by name. dlsym(RTLD_NEXT, "pthread_create"), or the same with a handle of the C library, leads past heddle,
// because heddle's definition is that of the executable. Allocators, profilers and wrappers of threads do that. They get heddle's.
//
// A sanitizer's runtime asks in the same way, and must get the C library's functions. It does so before any code of the program runs. heddle's own
// lookups come here, too.
#include <dlfcn.h>

#include "base/libc_call.h"
#include "base/own_code.h"
#include "base/program_code.h"
#include "intercept/real.h"

using namespace heddle::rt;

namespace {

bool is_heddle(const void* caller) { return of_heddle(reinterpret_cast<uintptr_t>(caller)); }
bool for_the_program(const void* caller) { return program_code_ran() && !is_heddle(caller); }

// Null: the program has a function of its own with that name, or heddle has none.
void* shim_of(const char* name) {
  void* const function = libc_dlsym()(RTLD_DEFAULT, name);
  return function != nullptr && of_heddle(reinterpret_cast<uintptr_t>(function)) ? function : nullptr;
}

bool is_next(void* function, const char* name) { return function != nullptr && function == libc_function(name); }

}  // namespace

// Jumps, because what the C library finds depends on the caller.
HEDDLE_SHIM void* heddle_dlsym(void* handle, const char* name) asm("dlsym");
void* heddle_dlsym(void* handle, const char* name) {
  if (handle == RTLD_NEXT && is_heddle(__builtin_return_address(0))) return libc_function(name);
  if (handle != RTLD_DEFAULT && for_the_program(__builtin_return_address(0))) {
    void* const shim = shim_of(name);
    if (shim != nullptr && (handle == RTLD_NEXT || is_next(libc_dlsym()(handle, name), name))) return shim;
  }
  [[clang::musttail]] return libc_dlsym()(handle, name);
}

// Old versions of a function can have another interface. They stay the C library's.
HEDDLE_SHIM void* heddle_dlvsym(void* handle, const char* name, const char* version) asm("dlvsym");
void* heddle_dlvsym(void* handle, const char* name, const char* version) {
  if (handle != RTLD_DEFAULT && for_the_program(__builtin_return_address(0))) {
    void* const shim = shim_of(name);
    if (shim != nullptr && is_next(libc_dlvsym()(handle, name, version), name)) return shim;
  }
  [[clang::musttail]] return libc_dlvsym()(handle, name, version);
}
