#include "intercept/library_call.h"

#if defined(__x86_64__)
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdio>

#include "base/import_table.h"
#include "base/module_kind.h"
#include "base/path.h"
#include "base/raw_syscall.h"
#include "intercept/library_access.h"
#include "intercept/stream_function.h"
#include "primitives/library_call.h"

extern "C" {
// library_thunks_x86_64.S.
extern __attribute__((visibility("hidden"))) const unsigned char heddle_library_thunks[];
extern __attribute__((visibility("hidden"))) void* heddle_library_targets[];
}

namespace heddle::rt {
namespace {

struct Library : primitives::CalledLibrary {
  uintptr_t base;
};

struct LibraryThunks {
  static constexpr size_t kCount = 1024;  // calls of further functions are no choice points
  static constexpr size_t kBytes = 32;
  static constexpr size_t kMostLibraries = 256;
  const Library* libraries_of[kCount] = {};  // null: a function on streams
  StreamFunction on_streams[kCount] = {};
  size_t count = 0;
  Library libraries[kMostLibraries] = {};
  size_t library_count = 0;
};
constinit LibraryThunks g_thunks;

// Null: the function is in another module.
const Library* bare_library_of(const void* function) {
  Dl_info info;
  link_map* map = nullptr;
  if (dladdr1(function, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return nullptr;
  LibraryThunks& t = g_thunks;
  for (size_t i = 0; i < t.library_count; ++i) {
    if (t.libraries[i].base == map->l_addr) return &t.libraries[i];
  }
  return nullptr;
}

int add_library(dl_phdr_info* module, size_t, void*) {
  LibraryThunks& t = g_thunks;
  if (module->dlpi_name[0] != '/' || is_system_library(module->dlpi_name) || is_instrumented(*module)) return 0;
  if (t.library_count == LibraryThunks::kMostLibraries) return 1;
  Library& l = t.libraries[t.library_count++];
  l.base = module->dlpi_addr;
  std::snprintf(l.name, sizeof l.name, "%s", base_name(module->dlpi_name));
  return 0;
}

void write_slot(const Import& import, void* value) {
  constexpr uintptr_t kPage = 4096;
  const uintptr_t page = reinterpret_cast<uintptr_t>(import.slot) & ~(kPage - 1);
  if (import.read_only && raw_syscall(SYS_mprotect, page, kPage, PROT_READ | PROT_WRITE) != 0) return;
  *import.slot = value;
  if (import.read_only) raw_syscall(SYS_mprotect, page, kPage, PROT_READ);
}

void add_thunk(const Import& import, void*) {
  LibraryThunks& t = g_thunks;
  if (t.count == LibraryThunks::kCount) return;
  const StreamFunction stream = stream_function(import.name);
  const bool on_stream = stream.what != StreamFunction::nothing;
  if (!on_stream && t.library_count == 0) return;
  void* const function = dlsym(RTLD_DEFAULT, import.name);  // the slot itself may wait for its first call
  if (function == nullptr) return;
  const Library* const library = on_stream ? nullptr : bare_library_of(function);
  if (!on_stream && library == nullptr) return;
  t.libraries_of[t.count] = library;
  t.on_streams[t.count] = stream;
  heddle_library_targets[t.count] = function;
  write_slot(import, const_cast<unsigned char*>(heddle_library_thunks) + t.count * LibraryThunks::kBytes);
  ++t.count;
}

int add_thunks(dl_phdr_info* module, size_t, void* first) {
  const bool executable = *static_cast<bool*>(first);  // documented: the executable comes first
  *static_cast<bool*>(first) = false;
  if (executable || is_instrumented(*module)) each_import(*module, add_thunk, nullptr);
  return 0;
}

__attribute__((constructor)) void make_thunks() {
  dl_iterate_phdr(add_library, nullptr);
  bool first = true;
  dl_iterate_phdr(add_thunks, &first);
}

}  // namespace

bool library_called(uintptr_t return_address, uintptr_t frame, uintptr_t first_argument, uintptr_t second_argument) {
  const uintptr_t offset = return_address - reinterpret_cast<uintptr_t>(heddle_library_thunks);
  if (offset >= LibraryThunks::kCount * LibraryThunks::kBytes) return false;
  const Place place{reinterpret_cast<const uintptr_t*>(frame)[1], frame};
  if (!asked_by_program(place) || current_thread()->alone) return true;
  const size_t thunk = offset / LibraryThunks::kBytes;
  const Library* const library = g_thunks.libraries_of[thunk];
  if (library != nullptr) primitives::library_call(*library, first_argument, place);
  else stream_function_called(g_thunks.on_streams[thunk], first_argument, second_argument, place);
  return true;
}

}  // namespace heddle::rt

#else
namespace heddle::rt {
bool library_called(uintptr_t, uintptr_t, uintptr_t, uintptr_t) { return false; }
}  // namespace heddle::rt
#endif
