#include "base/cxx_library.h"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "base/elf.h"
#include "base/module_kind.h"
#include "base/path.h"

extern "C" {
extern __attribute__((weak)) uintptr_t heddle_llvm_stream_0[] asm("_ZNSt3__13cinE");
extern __attribute__((weak)) uintptr_t heddle_llvm_stream_1[] asm("_ZNSt3__14coutE");
extern __attribute__((weak)) uintptr_t heddle_llvm_stream_2[] asm("_ZNSt3__14cerrE");
extern __attribute__((weak)) uintptr_t heddle_llvm_stream_3[] asm("_ZNSt3__14clogE");
extern __attribute__((weak)) uintptr_t heddle_llvm_stream_4[] asm("_ZNSt3__14wcinE");
extern __attribute__((weak)) uintptr_t heddle_llvm_stream_5[] asm("_ZNSt3__15wcoutE");
extern __attribute__((weak)) uintptr_t heddle_llvm_stream_6[] asm("_ZNSt3__15wcerrE");
extern __attribute__((weak)) uintptr_t heddle_llvm_stream_7[] asm("_ZNSt3__15wclogE");
}

namespace heddle::rt {

constinit CxxLibraryBounds g_cxx_library_bounds = {0, SIZE_MAX};

namespace {

// libc++.so, libc++abi.so.
struct Parts {
  static constexpr size_t kMost = 2;
  struct {
    uintptr_t begin, size;
  } parts[kMost];
  size_t count;
  bool known;
};
constinit Parts g_code = {};

void find_code() {
  g_code.known = true;
  const auto add = [](dl_phdr_info* module, size_t, void*) {
    if (!is_cxx_library(module->dlpi_name)) return 0;
    each_code_segment(*module, [](uintptr_t begin, size_t size) {
      if (g_code.count < Parts::kMost) g_code.parts[g_code.count++] = {begin, size};
    });
    return 0;
  };
  dl_iterate_phdr(add, nullptr);
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (size_t i = 0; i < g_code.count; ++i) {
    begin = std::min(begin, g_code.parts[i].begin);
    end = std::max(end, g_code.parts[i].begin + g_code.parts[i].size);
  }
  g_cxx_library_bounds = g_code.count != 0 ? CxxLibraryBounds{begin, end - begin} : CxxLibraryBounds{0, 0};
}

}  // namespace

bool is_cxx_library(const char* path) {
  if (path == nullptr) return false;
  const char* const name = base_name(path);
  for (const char* library : {"libc++.so", "libc++abi.so"}) {
    if (std::strncmp(name, library, std::strlen(library)) == 0) return true;
  }
  return false;
}

bool find_in_cxx_library(uintptr_t pc) {
  if (!g_code.known) find_code();
  for (size_t i = 0; i < g_code.count; ++i) {
    if (pc - g_code.parts[i].begin < g_code.parts[i].size) return true;
  }
  return false;
}

size_t find_cxx_streams(CxxStream (&out)[kCxxStreams]) {
  uintptr_t* const streams[] = {heddle_llvm_stream_0, heddle_llvm_stream_1, heddle_llvm_stream_2, heddle_llvm_stream_3,
                                heddle_llvm_stream_4, heddle_llvm_stream_5, heddle_llvm_stream_6, heddle_llvm_stream_7};
  size_t count = 0;
  for (uintptr_t* const stream : streams) {
    if (stream == nullptr) continue;
    const Symbol* const symbol = find_symbol(reinterpret_cast<uintptr_t>(stream));
    if (symbol != nullptr && symbol->start == reinterpret_cast<uintptr_t>(stream)) out[count++] = {stream, symbol->size};
  }
  return count;
}

}  // namespace heddle::rt
