#include "intercept/runtime_once.h"

#include <link.h>

#include <cstring>

#include "base/cxx_library.h"
#include "base/path.h"
#include "engine/engine.h"
#include "restore/restored_modules.h"

namespace heddle::rt {
namespace {

struct Range {
  uintptr_t begin, end;
};
constexpr size_t kMostRanges = 16;

constinit Range g_ranges[kMostRanges] = {};
constinit size_t g_count = 0;
constinit bool g_known = false;

constinit thread_local Thread* g_thread = nullptr;
constinit thread_local const uint64_t* g_guard = nullptr;

bool is_runtime(const char* path) {
  if (is_cxx_library(path)) return !puts_back_cxx_library();
  const char* const name = base_name(path);
  for (const char* library : {"libstdc++.so", "libgcc_s.so", "libunwind.so", "libc.so"}) {
    if (std::strncmp(name, library, std::strlen(library)) == 0) return true;
  }
  return false;
}

int add_variables(dl_phdr_info* info, size_t, void*) {
  if (info->dlpi_name == nullptr || !is_runtime(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum && g_count < kMostRanges; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    g_ranges[g_count++] = {begin, begin + segment.p_memsz};
  }
  return 0;
}

}  // namespace

bool of_the_runtime(const void* control) {
  if (!g_known) {
    g_known = true;
    dl_iterate_phdr(add_variables, nullptr);
  }
  const auto at = reinterpret_cast<uintptr_t>(control);
  for (size_t i = 0; i < g_count; ++i) {
    if (at >= g_ranges[i].begin && at < g_ranges[i].end) return true;
  }
  return false;
}

void begin_runtime_static(const uint64_t* guard) {
  g_thread = tls_thread;
  g_guard = guard;
  tls_thread = nullptr;
}

void end_runtime_static(const uint64_t* guard) {
  if (g_guard != guard) return;
  g_guard = nullptr;
  tls_thread = g_thread;
}

}  // namespace heddle::rt
