// Libraries that the program opens and closes. Each thread gets fresh thread-locals of them (fiber/library_locals.h).
//
// Two kinds are closed in name only. First, instrumented libraries: the fuzzing engine keeps a reference to the counters of each one, and
// would read them after it is unloaded. Second, a library whose thread-local objects some thread must still destroy. libc keeps those
// loaded, too.
#include <dlfcn.h>
#include <link.h>

#include "base/module_kind.h"
#include "engine/engine.h"
#include "engine/program_exit.h"
#include "fiber/library_locals.h"
#include "fiber/thread_exit.h"
#include "intercept/real.h"
#include "restore/process_state.h"

using namespace heddle::rt;
namespace fiber = heddle::fiber;

namespace {

// Instrumented libraries that are open. Filled in first, because a library cannot be opened during the enumeration.
struct Instrumented {
  static constexpr size_t kMost = 256;
  const char* names[kMost] = {};
  size_t count = 0;
  unsigned long long adds = 0;  // the dynamic linker's count when they were searched
};
constinit Instrumented g_instrumented;

void keep_instrumented_libraries() {
  const unsigned long long before = g_instrumented.adds;
  g_instrumented.count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* seen) {
        Instrumented& found = g_instrumented;
        found.adds = info->dlpi_adds;
        if (found.adds == *static_cast<const unsigned long long*>(seen)) return 1;
        if (info->dlpi_name == nullptr || info->dlpi_name[0] == 0 || found.count == Instrumented::kMost) return 0;
        if (is_instrumented(*info)) found.names[found.count++] = info->dlpi_name;
        return 0;
      },
      const_cast<unsigned long long*>(&before));
  for (size_t i = 0; i < g_instrumented.count; ++i) dlopen(g_instrumented.names[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

// Does a thread still have to destroy an object of the library?
bool has_objects(void* handle) {
  const link_map* library = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &library) != 0) return false;
  return fiber::has_thread_destructor([](const void* dso, void* wanted) {
    Dl_info info;
    link_map* of = nullptr;
    return dladdr1(dso, &info, reinterpret_cast<void**>(&of), RTLD_DL_LINKMAP) != 0 && of == wanted;
  }, const_cast<link_map*>(library));
}

}  // namespace

// A jump, because libc's search path for the library depends on the caller.
extern "C" __attribute__((weak)) void* ___interceptor_dlopen(const char* path, int flags);
static constinit void* (*real_dlopen)(const char*, int) = nullptr;
HEDDLE_SHIM void* heddle_dlopen(const char* path, int flags) asm("dlopen");
void* heddle_dlopen(const char* path, int flags) {
  if (path != nullptr) note_library_opened();
  fiber::library_locals::libraries_changed();
  if (real_dlopen == nullptr) {
    real_dlopen = &___interceptor_dlopen != nullptr ? &___interceptor_dlopen : reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  }
  [[clang::musttail]] return real_dlopen(path, flags);
}

HEDDLE_REAL_OR_ASAN(int, dlclose, (void* handle));
HEDDLE_SHIM int dlclose(void* handle) noexcept {
  {
    Uncontrolled guard;
    keep_instrumented_libraries();
    if (has_objects(handle)) return 0;
  }
  const int result = real_dlclose(handle);
  fiber::library_locals::libraries_changed();
  return result;
}
