#include "fiber/library_locals.h"

#include <link.h>

#include <cstdint>

#include "base/line.h"
#include "base/reserved_array.h"
#include "fiber/thread_locals.h"

// A function of the dynamic linker: the current thread's variables of a module. Creates them on first use (ELF Handling For Thread-Local
// Storage, 3.4).
struct TlsIndex {
  unsigned long module, offset;
};
extern "C" void* __tls_get_addr(TlsIndex* index);

namespace heddle::fiber::library_locals {
namespace {

struct Module {
  size_t id;
  const unsigned char* image;  // the values that the file has
  size_t image_size, size;     // what the image does not cover is zero
};

constexpr size_t kMaxModules = 256;
constinit Module modules[kMaxModules] = {};
constinit size_t module_count = 0;
constinit size_t left_out[kMaxModules] = {};
constinit size_t left_out_count = 0;
constinit bool changed = true;  // since `modules` was made

bool is_left_out(size_t module) {
  for (size_t i = 0; i < left_out_count; ++i) {
    if (left_out[i] == module) return true;
  }
  return false;
}

int survey_module(dl_phdr_info* info, size_t, void*) {
  if (info->dlpi_tls_modid == 0 || is_left_out(info->dlpi_tls_modid) || thread_locals::is_system_library(info->dlpi_name)) return 0;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_TLS || segment.p_memsz == 0) continue;
    if (module_count == kMaxModules) {
      rt::print_line(2, "heddle: more than %zu open libraries have thread-local variables: those of %s are not fresh in each thread\n", kMaxModules,
                     info->dlpi_name);
      return 1;
    }
    modules[module_count++] = {info->dlpi_tls_modid, reinterpret_cast<const unsigned char*>(info->dlpi_addr + segment.p_vaddr), segment.p_filesz,
                               segment.p_memsz};
  }
  return 0;
}

void survey() {
  changed = false;
  module_count = 0;
  dl_iterate_phdr(&survey_module, nullptr);
}

char* variables(const Module& module) {
  TlsIndex index = {module.id, 0};
  return static_cast<char*>(__tls_get_addr(&index));
}

}  // namespace

void leave_out(size_t module) {
  if (left_out_count < kMaxModules) left_out[left_out_count++] = module;
}

void libraries_changed() { changed = true; }

void begin() {
  if (changed) survey();
  for (size_t i = 0; i < module_count; ++i) {
    const Module& module = modules[i];
    char* const at = variables(module);
    __builtin_memcpy(at, module.image, module.image_size);
    __builtin_memset(at + module.image_size, 0, module.size - module.image_size);
  }
}

void for_each(Callback callback) {
  for (size_t i = 0; i < module_count; ++i) callback(variables(modules[i]), modules[i].size);
}

}  // namespace heddle::fiber::library_locals
