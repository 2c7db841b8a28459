#include "harness/driver/library_watch.h"

#include <link.h>

#include <cstring>
#include <string_view>

#include "base/path.h"
#include "restore/restored_modules.h"
#include "schema/codec.h"

namespace heddle::driver {
namespace {

// The C and C++ libraries, and what unwinds the stack for them: it only notes what it has looked up.
bool left_out(std::string_view name) {
  for (const std::string_view prefix : {"libc.so", "libm.so", "libmvec.so", "libpthread.so", "libdl.so", "librt.so", "libstdc++.so", "libgcc_s.so", "libunwind.so", "ld-linux", "ld.so"}) {
    if (name.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

struct Span {
  uintptr_t begin = 0, end = 0;
};

// The table that the dynamic linker fills in at the first call of each function.
Span lazy_table(const dl_phdr_info& info) {
  uintptr_t table = 0;
  size_t relocations = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    for (auto* d = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr); d->d_tag != DT_NULL; ++d) {
      if (d->d_tag == DT_PLTGOT) table = d->d_un.d_ptr;
      if (d->d_tag == DT_PLTRELSZ) relocations = d->d_un.d_val / sizeof(ElfW(Rela));
    }
  }
  return {table, table + (3 + relocations) * sizeof(uintptr_t)};
}

uint64_t hash_of(const unsigned char* begin, size_t size) { return hash_input({begin, size}); }

}  // namespace

LibraryWatch::LibraryWatch() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        auto& ranges = *static_cast<std::vector<Range>*>(argument);
        const char* path = info->dlpi_name;
        if (path == nullptr || std::strchr(path, '/') == nullptr) return 0;  // the executable, the vdso
        if (left_out(rt::base_name(path)) || rt::is_put_back(*info)) return 0;
        const Span lazy = lazy_table(*info);
        Span relro;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type == PT_GNU_RELRO) relro = {info->dlpi_addr + segment.p_vaddr, info->dlpi_addr + segment.p_vaddr + segment.p_memsz};
        }
        const auto add = [&](uintptr_t begin, uintptr_t end) {
          if (begin >= end) return;
          const auto* at = reinterpret_cast<const unsigned char*>(begin);
          ranges.push_back({at, end - begin, hash_of(at, end - begin), rt::base_name(path)});
        };
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
          uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          const uintptr_t end = begin + segment.p_memsz;
          if (begin >= relro.begin && begin < relro.end) begin = relro.end;
          if (lazy.begin >= begin && lazy.end <= end) {
            add(begin, lazy.begin);
            begin = lazy.end;
          }
          add(begin, end);
        }
        return 0;
      },
      &ranges_);
}

std::string LibraryWatch::changed() const {
  for (const Range& range : ranges_) {
    if (hash_of(range.begin, range.size) != range.hash) return range.library;
  }
  return {};
}

}  // namespace heddle::driver
