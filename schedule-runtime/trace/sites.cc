#include "trace/sites.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "base/asan.h"
#include "base/call_instruction.h"
#include "base/cxx_library.h"
#include "base/elf.h"
#include "base/own_code.h"
#include "base/path.h"
#include "base/program_code.h"

extern "C" __attribute__((weak)) void __tsan_func_entry(void* call_pc);

namespace heddle::rt {
namespace {

constexpr size_t kMaxSites = 1 << 20;

uint64_t hash_text(const char* text) {
  uint64_t h = 0xCBF29CE484222325ull;
  for (; *text != 0; ++text) h = (h ^ static_cast<unsigned char>(*text)) * 0x100000001B3ull;
  return h;
}

bool begins_with_one_of(const char* text, std::initializer_list<const char*> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [text](const char* b) { return strncmp(text, b, strlen(b)) == 0; });
}

// A member of the namespace, with any qualifiers: "_ZNKRSt" is a const member function for lvalues.
bool is_member_of(const char* mangled, std::initializer_list<const char*> scopes) {
  if (strncmp(mangled, "_ZN", 3) != 0) return false;
  return begins_with_one_of(mangled + 3 + strspn(mangled + 3, "rVKRO"), scopes);
}

// Wrappers of the standard library and of heddle's headers are inlined at -O2, but are functions at -O0. A position inside them says
// nothing about the program. Neither does one inside the runtime.
bool is_library_function(const char* mangled) {
  return is_member_of(mangled, {"St", "6heddle", "9__gnu_cxx"}) ||
         begins_with_one_of(mangled, {"_ZZN6heddle", "_ZZNK6heddle", "_Zdl", "_Zda", "_ZSt", "_ZL18__gthread", "_ZL19__gthread", "_ZL20__gthread",
                                      "_ZL21__gthread", "_ZL22__gthread", "_ZL23__gthread", "_ZL24__gthread", "_ZL25__gthread", "_ZL26__gthread",
                                      "_ZL27__gthread"});
}

// The callable of a std::function is compiled into this library function, which does nothing else. So its positions are the program's.
// (Otherwise all jobs of a thread pool would be at the line that calls them.)
bool runs_callable(const char* mangled) {
  static constexpr char kHandler[] = "_ZNSt17_Function_handlerI";
  return strncmp(mangled, kHandler, sizeof kHandler - 1) == 0 && strstr(mangled, "E9_M_invokeE") != nullptr;
}

bool is_libcxx_function(const char* mangled) { return is_member_of(mangled, {"St3__"}); }

// AddressSanitizer's allocator, with its operator delete. It calls heddle when the program frees a block.
bool is_asan_function(const char* mangled) {
  return begins_with_one_of(mangled, {"_ZN6__asan", "_ZN11__sanitizer", "__interceptor_", "___interceptor_", "_Zdl", "_Zda"});
}
// Libraries that the compiler adds. Their positions say nothing about the program: libstdc++'s streams read and write its files.
bool comes_with_compiler(const char* path) { return begins_with_one_of(base_name(path), {"libasan.so", "libclang_rt.asan", "libstdc++.so"}); }

// For functions of the executable: does the code call __tsan_func_entry?
bool is_instrumented(const Symbol& function) {
  const auto* const code = reinterpret_cast<const unsigned char*>(function.start);
  for (size_t i = 0; i + kCallSize <= function.size; i += kCallStep) {
    const void* const callee = callee_at(code + i, false);
    if (callee != nullptr && callee == reinterpret_cast<const void*>(&__tsan_func_entry)) return true;
  }
  return false;
}

}  // namespace

constinit SiteTable g_sites;

void look_up_sites(const SiteId* ids, size_t count) {
  struct Wanted {
    const SiteId* ids;
    size_t count;
    uint64_t low_bits[1024] = {};  // which of 2^16 an identity may end in
  };
  static constinit Wanted wanted = {};
  wanted = {ids, count};
  for (size_t i = 0; i < count; ++i) wanted.low_bits[ids[i] >> 6 & 1023] |= 1ull << (ids[i] & 63);
  each_function(
      [](const Symbol& function, void*) {
        const uint64_t name = hash_text(function.name);
        for (uint32_t offset = 1; offset <= function.size; ++offset) {
          const SiteId id = mix(name, offset);
          if ((wanted.low_bits[id >> 6 & 1023] >> (id & 63) & 1) == 0) continue;
          if (std::find(wanted.ids, wanted.ids + wanted.count, id) != wanted.ids + wanted.count) sites().index_of(function.start + offset);
        }
      },
      nullptr);
}

bool is_runtime_function(const char* mangled) {
  if (mangled == nullptr) return false;
  for (const char* prefix : {"_ZN6heddle", "_ZZN6heddle", "heddle_fiber", "__sanitizer_heddle"}) {
    if (strncmp(mangled, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

void SiteTable::initialise() {
  by_pc_.initialise(8);
  near_[0].pc = 1;  // so that an unused entry, which has pc 0, is no answer for position 0
  info_.reserve(kMaxSites);
  records_.reserve(kMaxSites);
}

void SiteTable::fetch(Position& p, uintptr_t pc) {
  bool inserted;
  uint32_t index = by_pc_.find_or_insert(pc, inserted);
  if (inserted) {
    index = resolve(pc);
    // Looked up again: to resolve a position can fetch others, and that can move the table.
    by_pc_.find_or_insert(pc, inserted) = index;
  }
  p = {pc, index, info_[index].library, info_[index].passes_on};
}

uint32_t SiteTable::resolve(uintptr_t pc) {
  check(!records_.full(), "more than 1,048,576 code positions in one process");
  // A return address may already belong to the next function. The call instruction never does.
  const uintptr_t call = pc - 1;
  const uintptr_t base = module_base_of(call);
  const char* module = module_name_of(call);
  const bool foreign = !is_main_executable(call) && !of_own_code(call);
  const bool passes_on = foreign && (in_cxx_library(call) || of_bare_library(call) || (module != nullptr && comes_with_compiler(module)));
  SiteInfo info{0, pc, nullptr, static_cast<uint32_t>(pc - base), foreign, passes_on};
  const Symbol* symbol = find_symbol(call);
  if (symbol != nullptr && symbol->name != nullptr) {
    info.function = symbol->name;
    info.offset = static_cast<uint32_t>(pc - symbol->start);
    const bool of_asan = asan_linked() && is_asan_function(symbol->name);
    info.library = foreign || of_asan || (is_library_function(symbol->name) && !runs_callable(symbol->name));
    if (!foreign) info.passes_on = (of_asan || is_libcxx_function(symbol->name)) && !of_heddle(call) && !is_instrumented(*symbol);
    info.id = mix(hash_text(symbol->name), info.offset);
  } else {
    info.id = mix(hash_text(module != nullptr ? base_name(module) : ""), info.offset + (1ull << 40));
  }
  if (info.id == kNoSite) info.id = 1;
  const uint32_t index = static_cast<uint32_t>(records_.size());
  info_.push() = info;
  records_.push() = {info.id, pc - base};
  return index;
}

}  // namespace heddle::rt
