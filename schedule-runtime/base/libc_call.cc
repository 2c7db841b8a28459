// The C library's functions for heddle's own calls. In a target, these calls must not use the C library's names, because the program may
// define such a name itself. So harness/link/own_calls.sh puts a stub in front of each.
#include "base/libc_call.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>

#include <cstdint>

#include "base/line.h"
#include "base/raw_syscall.h"

namespace heddle::rt {
namespace {

// The layout in libc_stub.inc.
struct Stub {
  void* function;
  const char* name;
};

struct Symbols {
  const ElfW(Sym)* table = nullptr;
  const char* names = nullptr;
  const ElfW(Half)* versions = nullptr;
  const uint32_t* hash = nullptr;  // GNU's
};

Symbols symbols_of(const link_map& library) {
  Symbols found;
  for (const ElfW(Dyn)* d = library.l_ld; d != nullptr && d->d_tag != DT_NULL; ++d) {
    const uintptr_t address = d->d_un.d_ptr;
    if (address < library.l_addr) continue;  // skips the vDSO, which is not relocated, and values that are no addresses
    if (d->d_tag == DT_SYMTAB) found.table = reinterpret_cast<const ElfW(Sym)*>(address);
    if (d->d_tag == DT_STRTAB) found.names = reinterpret_cast<const char*>(address);
    if (d->d_tag == DT_VERSYM) found.versions = reinterpret_cast<const ElfW(Half)*>(address);
    if (d->d_tag == DT_GNU_HASH) found.hash = reinterpret_cast<const uint32_t*>(address);
  }
  return found;
}

uint32_t hash_of(const char* name) {
  uint32_t hash = 5381;
  for (; *name != 0; ++name) hash = hash * 33 + static_cast<uint8_t>(*name);
  return hash;
}

bool is_function(const ElfW(Sym)& s) { return s.st_shndx != SHN_UNDEF && ((s.st_info & 0xF) == STT_FUNC || (s.st_info & 0xF) == STT_GNU_IFUNC); }

// The function's default version. Null: the library has none, or no table for it.
const ElfW(Sym)* find_in(const Symbols& symbols, const char* name, uint32_t hash) {
  constexpr ElfW(Half) kOldVersion = 0x8000;
  if (symbols.table == nullptr || symbols.names == nullptr || symbols.hash == nullptr) return nullptr;
  const uint32_t buckets = symbols.hash[0], first = symbols.hash[1], filter = symbols.hash[2];
  if (buckets == 0) return nullptr;
  const uint32_t* const bucket = symbols.hash + 4 + filter * (sizeof(uintptr_t) / sizeof(uint32_t));
  const uint32_t* const chain = bucket + buckets;
  for (uint32_t i = bucket[hash % buckets]; i >= first && i != 0; ++i) {
    const uint32_t here = chain[i - first];
    const ElfW(Sym)& s = symbols.table[i];
    const bool old = symbols.versions != nullptr && (symbols.versions[i] & kOldVersion) != 0;
    if ((here | 1) == (hash | 1) && !old && is_function(s) && strcmp(symbols.names + s.st_name, name) == 0) return &s;
    if ((here & 1) != 0) break;
  }
  return nullptr;
}

void* address_of(const link_map& library, const ElfW(Sym)& s) {
  void* const function = reinterpret_cast<void*>(library.l_addr + s.st_value);
  if ((s.st_info & 0xF) != STT_GNU_IFUNC) return function;
#ifdef __x86_64__
  return reinterpret_cast<void* (*)()>(function)();
#else
  return nullptr;  // the resolver wants arguments
#endif
}

// Without the C library's functions, which may be what is looked for.
bool begins_with(const char* text, const char* beginning) {
  while (*beginning != 0 && *text == *beginning) ++text, ++beginning;
  return *beginning == 0;
}

bool is_c_library(const link_map& library) {
  const char* file = library.l_name;
  for (const char* c = file; c != nullptr && *c != 0; ++c) {
    if (*c == '/') file = c + 1;
  }
  return file != nullptr && begins_with(file, "libc.so");
}

// Finds a function without dlsym, in the libraries after the executable, or in the C library alone.
void* find_by_hand(const char* name, bool in_c_library = false) {
  const r_debug* debug = nullptr;
  for (const ElfW(Dyn)* d = _DYNAMIC; d != nullptr && d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == DT_DEBUG) debug = reinterpret_cast<const r_debug*>(d->d_un.d_ptr);
  }
  if (debug == nullptr || debug->r_map == nullptr) return nullptr;
  const uint32_t hash = hash_of(name);
  for (const link_map* library = debug->r_map->l_next; library != nullptr; library = library->l_next) {
    if (in_c_library && !is_c_library(*library)) continue;
    if (const ElfW(Sym)* const s = find_in(symbols_of(*library), name, hash)) return address_of(*library, *s);
  }
  return nullptr;
}

template <typename Function>
Function* found_once(Function*& function, const char* name) {
  if (__builtin_expect(function == nullptr, 0)) function = reinterpret_cast<Function*>(find_by_hand(name));
  return function;
}

constinit decltype(dlsym)* g_dlsym = nullptr;
constinit decltype(dlvsym)* g_dlvsym = nullptr;

}  // namespace

void* libc_function(const char* name) {
  void* const function = find_by_hand(name);
  return function != nullptr ? function : libc_dlsym()(RTLD_NEXT, name);
}

void* own_function_of_libc(const char* name) { return find_by_hand(name, true); }

void* (*libc_dlsym())(void* handle, const char* name) { return found_once(g_dlsym, "dlsym"); }
void* (*libc_dlvsym())(void* handle, const char* name, const char* version) { return found_once(g_dlvsym, "dlvsym"); }

}  // namespace heddle::rt

extern "C" __attribute__((visibility("default"), used)) void* heddle_libc_find(heddle::rt::Stub* stub) {
  using namespace heddle::rt;
  const bool of_allocator = begins_with(stub->name, "__libc_");
  void* const function = of_allocator ? own_function_of_libc(stub->name) : libc_function(stub->name);
  if (function == nullptr) {
    print_line(2, "heddle: the C library has no function %s\n", stub->name);
    raw_syscall(SYS_exit_group, 99);
  }
  stub->function = function;
  return function;
}
