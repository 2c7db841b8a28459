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
  uint32_t count = 0;
};

// The number of symbols. An old hash table stores it at its beginning. In a GNU hash table, it is one more than the last symbol of the
// longest chain.
uint32_t count_hashed(const uint32_t* hash) {
  const uint32_t buckets = hash[0], first = hash[1], filter = hash[2];
  const uint32_t* const bucket = hash + 4 + filter * (sizeof(uintptr_t) / sizeof(uint32_t));
  uint32_t last = 0;
  for (uint32_t i = 0; i < buckets; ++i) last = bucket[i] > last ? bucket[i] : last;
  if (last < first) return first;
  const uint32_t* const chain = bucket + buckets;
  while ((chain[last - first] & 1) == 0) ++last;
  return last + 1;
}

Symbols symbols_of(const link_map& library) {
  Symbols found;
  for (const ElfW(Dyn)* d = library.l_ld; d != nullptr && d->d_tag != DT_NULL; ++d) {
    const uintptr_t address = d->d_un.d_ptr;
    if (address < library.l_addr) continue;  // skips the vDSO, which is not relocated, and values that are no addresses
    if (d->d_tag == DT_SYMTAB) found.table = reinterpret_cast<const ElfW(Sym)*>(address);
    if (d->d_tag == DT_STRTAB) found.names = reinterpret_cast<const char*>(address);
    if (d->d_tag == DT_VERSYM) found.versions = reinterpret_cast<const ElfW(Half)*>(address);
    if (d->d_tag == DT_GNU_HASH) found.count = count_hashed(reinterpret_cast<const uint32_t*>(address));
    if (d->d_tag == DT_HASH && found.count == 0) found.count = reinterpret_cast<const uint32_t*>(address)[1];
  }
  if (found.table == nullptr || found.names == nullptr) found.count = 0;
  return found;
}

// Finds a function without dlsym, in the libraries after the executable.
void* find_by_hand(const char* name) {
  const r_debug* debug = nullptr;
  for (const ElfW(Dyn)* d = _DYNAMIC; d != nullptr && d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == DT_DEBUG) debug = reinterpret_cast<const r_debug*>(d->d_un.d_ptr);
  }
  if (debug == nullptr || debug->r_map == nullptr) return nullptr;
  constexpr ElfW(Half) kOldVersion = 0x8000;
  for (const link_map* library = debug->r_map->l_next; library != nullptr; library = library->l_next) {
    const Symbols symbols = symbols_of(*library);
    for (uint32_t i = 1; i < symbols.count; ++i) {
      const ElfW(Sym)& s = symbols.table[i];
      if (s.st_shndx == SHN_UNDEF || (s.st_info & 0xF) != STT_FUNC || strcmp(symbols.names + s.st_name, name) != 0) continue;
      if (symbols.versions == nullptr || (symbols.versions[i] & kOldVersion) == 0) return reinterpret_cast<void*>(library->l_addr + s.st_value);
    }
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

void* (*libc_dlsym())(void* handle, const char* name) { return found_once(g_dlsym, "dlsym"); }
void* (*libc_dlvsym())(void* handle, const char* name, const char* version) { return found_once(g_dlvsym, "dlvsym"); }

}  // namespace heddle::rt

extern "C" __attribute__((visibility("default"), used)) void* heddle_libc_find(heddle::rt::Stub* stub) {
  using namespace heddle::rt;
  void* const function = libc_dlsym()(RTLD_NEXT, stub->name);
  if (function == nullptr) {
    print_line(2, "heddle: the C library has no function %s\n", stub->name);
    raw_syscall(SYS_exit_group, 99);
  }
  stub->function = function;
  return function;
}
