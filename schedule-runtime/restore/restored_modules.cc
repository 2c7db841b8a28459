#include "restore/restored_modules.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/asan.h"
#include "base/cxx_library.h"
#include "base/elf.h"
#include "base/module_kind.h"
#include "base/options.h"

extern "C" {
// HEDDLE_KEEP_EVERYTHING()
__attribute__((weak)) extern const char heddle_keep_everything;
}

namespace heddle::rt {
namespace {

constexpr size_t kMostThreads = 64;  // further ones are not noted
constinit uintptr_t g_creators[kMostThreads] = {};
constinit std::atomic<size_t> g_creator_count{0};

// The code of the restored modules, sorted.
struct Code {
  uintptr_t begin, end;
};
constexpr size_t kMostSegments = 1024;
constinit Code g_restored[kMostSegments] = {};
constinit size_t g_restored_count = 0;
constinit bool g_known = false;

bool contains(const dl_phdr_info& module, uintptr_t address) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && address - (module.dlpi_addr + segment.p_vaddr) < segment.p_memsz) return true;
  }
  return false;
}

bool has_uncontrolled_threads(const dl_phdr_info& module) {
  const size_t count = g_creator_count.load();
  for (size_t i = 0; i < count && i < kMostThreads; ++i) {
    if (contains(module, g_creators[i])) return true;
  }
  return false;
}

bool libraries_keep() { return options().keep_libraries == Choice::automatic ? asan_linked() : options().keep_libraries == Choice::yes; }

bool is_file(const char* path) { return path != nullptr && strchr(path, '/') != nullptr; }  // and not the vdso

// libFuzzer uses the C++ library if its functions have parameters of the library's types.
bool engine_uses_cxx_library() {
  bool found = false;
  const Image image = map_file("/proc/self/exe");
  each_symbol(
      image,
      [](const RawSymbol& symbol, void* f) {
        if (strncmp(symbol.name, "_ZN6fuzzer", 10) == 0 && strstr(symbol.name, "NSt3__1") != nullptr) *static_cast<bool*>(f) = true;
      },
      &found);
  unmap_file(image);
  return found;
}

bool is_restored(const dl_phdr_info& module, bool executable) {
  if (keeps_everything()) return false;
  if (executable || is_instrumented(module)) return true;
  if (!is_file(module.dlpi_name)) return false;
  if (is_cxx_library(module.dlpi_name)) return puts_back_cxx_library();
  return !libraries_keep() && !is_system_library(module.dlpi_name) && !contains(module, reinterpret_cast<uintptr_t>(&malloc)) &&
         !has_uncontrolled_threads(module);
}

void add_code(const dl_phdr_info& module) {
  each_code_segment(module, [](uintptr_t begin, size_t size) {
    if (g_restored_count < kMostSegments) g_restored[g_restored_count++] = {begin, begin + size};
  });
}

}  // namespace

bool keeps_everything() { return &heddle_keep_everything != nullptr; }

bool puts_back_cxx_library() {
  static const bool yes = !keeps_everything() && !engine_uses_cxx_library();
  return yes;
}

void find_restored_modules() {
  g_known = true;
  g_restored_count = 0;
  bool executable = true;  // comes first
  dl_iterate_phdr(
      [](dl_phdr_info* module, size_t, void* first) {
        bool& executable = *static_cast<bool*>(first);
        if (is_restored(*module, executable)) add_code(*module);
        executable = false;
        return 0;
      },
      &executable);
  std::sort(g_restored, g_restored + g_restored_count, [](const Code& a, const Code& b) { return a.begin < b.begin; });
}

bool is_put_back(uintptr_t code) {
  if (__builtin_expect(!g_known, 0)) find_restored_modules();
  const Code* const begin = g_restored;
  const Code* const end = begin + g_restored_count;
  const Code* const after = std::upper_bound(begin, end, code, [](uintptr_t at, const Code& c) { return at < c.begin; });
  return after != begin && code < after[-1].end;
}

bool is_put_back(const dl_phdr_info& module) {
  bool found = false;
  each_code_segment(module, [&](uintptr_t begin, size_t) { found = found || is_put_back(begin); });
  return found;
}

void note_uncontrolled_thread(uintptr_t creator) {
  const size_t i = g_creator_count++;
  if (i < kMostThreads) g_creators[i] = creator;
}

}  // namespace heddle::rt
