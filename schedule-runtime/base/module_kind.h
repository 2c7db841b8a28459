// What kind of module a loaded library is.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Calls `take(begin, size)` for each part of the module that holds code.
template <typename Take>
void each_code_segment(const dl_phdr_info& module, Take take) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) take(uintptr_t{module.dlpi_addr + segment.p_vaddr}, size_t{segment.p_memsz});
  }
}

// Was it compiled with heddle's wrapper?
bool is_instrumented(const dl_phdr_info& module);
// The libraries of the C and C++ compilers and of the system, by the beginning of the file's name.
bool is_system_library(const char* path);

}  // namespace heddle::rt
