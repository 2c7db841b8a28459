#include "base/import_table.h"

#include <elf.h>

#include <cstddef>
#include <cstdint>

namespace heddle::rt {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kImportedFunction = R_X86_64_JUMP_SLOT;
#elif defined(__aarch64__)
constexpr uint32_t kImportedFunction = R_AARCH64_JUMP_SLOT;
#endif

}  // namespace

void each_import(const dl_phdr_info& module, void (*take)(const Import&, void*), void* context) {
  const ElfW(Dyn)* dynamic = nullptr;
  uintptr_t protected_from = 0, protected_size = 0;
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    const uintptr_t begin = module.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
    if (segment.p_type == PT_GNU_RELRO) protected_from = begin, protected_size = segment.p_memsz;
  }
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Rela)* imports = nullptr;
  size_t bytes = 0;
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    const auto value = dynamic->d_un.d_ptr;  // glibc has relocated the pointers
    if (dynamic->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(value);
    if (dynamic->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(value);
    if (dynamic->d_tag == DT_JMPREL) imports = reinterpret_cast<const ElfW(Rela)*>(value);
    if (dynamic->d_tag == DT_PLTRELSZ) bytes = value;
  }
  if (symbols == nullptr || strings == nullptr || imports == nullptr) return;
  for (size_t i = 0; i < bytes / sizeof *imports; ++i) {
    if (ELF64_R_TYPE(imports[i].r_info) != kImportedFunction) continue;
    const ElfW(Sym)& symbol = symbols[ELF64_R_SYM(imports[i].r_info)];
    const uintptr_t slot = module.dlpi_addr + imports[i].r_offset;
    take({strings + symbol.st_name, reinterpret_cast<void**>(slot), slot - protected_from < protected_size}, context);
  }
}

}  // namespace heddle::rt
