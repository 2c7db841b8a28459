#include "base/module_kind.h"

#include <cstdint>
#include <cstring>

#include "base/path.h"

namespace heddle::rt {

// A module is instrumented if it refers to __tsan_init, which the constructor of each instrumented unit calls. In the dynamic symbol table,
// undefined symbols come before the first hashed one.
bool is_instrumented(const dl_phdr_info& info) {
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    }
  }
  if (dynamic == nullptr) return false;
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  uint32_t count = 0;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    // glibc has relocated these pointers, except in the vdso, whose addresses are small.
    const auto address = dynamic->d_un.d_ptr;
    if (address < 4096) continue;
    if (dynamic->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(address);
    if (dynamic->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(address);
    if (dynamic->d_tag == DT_GNU_HASH) count = reinterpret_cast<const uint32_t*>(address)[1];
    if (dynamic->d_tag == DT_HASH && count == 0) count = reinterpret_cast<const uint32_t*>(address)[1];
  }
  if (symbols == nullptr || strings == nullptr) return false;
  for (uint32_t i = 1; i < count; ++i) {
    if (symbols[i].st_shndx == SHN_UNDEF && strcmp(strings + symbols[i].st_name, "__tsan_init") == 0) return true;
  }
  return false;
}

bool is_system_library(const char* path) {
  static constexpr const char* kSystem[] = {
      "libc.so",      "libm.so",     "libmvec.so", "libpthread.so", "libdl.so",  "librt.so",    "libresolv.so",  "ld-linux",
      "libstdc++.so", "libgcc_s.so", "libc++.so",  "libc++abi.so",  "libunwind", "libatomic.so",  "libclang_rt.",   "libasan.so",
      "libubsan.so",  "liblsan.so",  "libnss_",
  };
  const char* const name = base_name(path);
  for (const char* beginning : kSystem) {
    if (strncmp(name, beginning, strlen(beginning)) == 0) return true;
  }
  return false;
}

}  // namespace heddle::rt
