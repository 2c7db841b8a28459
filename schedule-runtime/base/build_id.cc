#include "base/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstring>

// From the linker. It is there in whatever has program headers.
extern "C" const __attribute__((weak, visibility("hidden"))) ElfW(Ehdr) __ehdr_start;

namespace heddle::rt {
namespace {

constexpr size_t aligned(size_t size) { return (size + 3) & ~size_t{3}; }

}  // namespace

std::span<const uint8_t> build_id() {
  if (&__ehdr_start == nullptr) return {};
  const auto base = reinterpret_cast<uintptr_t>(&__ehdr_start);
  const auto* const headers = reinterpret_cast<const ElfW(Phdr)*>(base + __ehdr_start.e_phoff);
  const uintptr_t bias = __ehdr_start.e_type == ET_DYN ? base : 0;
  for (unsigned i = 0; i < __ehdr_start.e_phnum; ++i) {
    if (headers[i].p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const uint8_t*>(bias + headers[i].p_vaddr);
    const uint8_t* const end = at + headers[i].p_memsz;
    while (static_cast<size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
      const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
      const uint8_t* const name = at + sizeof note;
      const uint8_t* const content = name + aligned(note.n_namesz);
      if (static_cast<size_t>(end - name) < aligned(note.n_namesz) + aligned(note.n_descsz)) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0) return {content, note.n_descsz};
      at = content + aligned(note.n_descsz);
    }
  }
  return {};
}

}  // namespace heddle::rt
