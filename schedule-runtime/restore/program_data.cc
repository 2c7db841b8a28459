#include "restore/program_data.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "base/afl.h"
#include "base/cxx_library.h"
#include "base/elf.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "restore/restored_modules.h"
#include "restore/runtime_data.h"

extern "C" {
// harness/link/user_data_begin.c
__attribute__((weak, visibility("hidden"))) extern char heddle_user_data_begin[];
__attribute__((weak, visibility("hidden"))) extern char heddle_user_bss_begin[];
}

namespace heddle::rt {
namespace {

struct Ranges {
  DataRange* out;
  size_t count = 0;
  bool main_program = true;
  RuntimeData foreign;

  // Adds a range without the runtime data inside it.
  void add(uintptr_t begin, uintptr_t end) {
    if (main_program) {
      for (size_t i = 0; i < foreign.count; ++i) {
        const AddressRange& hole = foreign.ranges[i];
        if (hole.end <= begin || hole.begin >= end) continue;
        add_one(begin, hole.begin);
        begin = hole.end;
      }
      if (foreign.stripped) refuse_afl_within(begin, end);
    }
    add_one(begin, end);
  }

  // AFL++'s variables must not be restored: AFL++ would lose its state between two executions and hang.
  static void refuse_afl_within(uintptr_t begin, uintptr_t end) {
    const auto state = reinterpret_cast<uintptr_t>(&__afl_area_ptr);
    if (!afl_linked() || state < begin || state >= end) return;
    print_line(2, "heddle: %s: AFL++'s variables cannot be distinguished from the program's. %s\n", why_no_symbols(), what_symbols_need());
    raw_syscall(SYS_exit_group, kNotControlledExit);
  }

  void add_one(uintptr_t begin, uintptr_t end) {
    if (begin >= end) return;
    if (count == kMaxDataRanges) {
      print_line(2, "heddle: more than %zu data sections: the rest is not restored between executions\n",
                 kMaxDataRanges);
      return;
    }
    out[count++] = {reinterpret_cast<unsigned char*>(begin), end - begin};
  }
};

// Writable sections that are not the program's: tables of the compiler, the linker and the tools. All other names are the program's.
bool foreign_section(const char* name) {
  static constexpr const char* kPrefixes[] = {
      "heddle_",     "__sancov",        "__libfuzzer",   "asan_globals", "__llvm_prf",
      "__llvm_covf", ".got",            ".dynamic",      ".data.rel.ro", ".init_array",
      ".fini_array", ".preinit_array",  ".ctors",        ".dtors",       ".tm_clone_table",
      ".jcr",        ".relro_padding",  "__patchable_",  "xray_",
  };
  for (const char* prefix : kPrefixes) {
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

// The file of a module, mapped read-only.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    struct stat status;
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<size_t>(status.st_size);
      void* p = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
      data_ = p == MAP_FAILED ? nullptr : static_cast<const unsigned char*>(p);
    }
    close(fd);
  }
  ~MappedFile() {
    if (data_ != nullptr) munmap(const_cast<unsigned char*>(data_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Null unless the whole range lies in the file.
  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    if (data_ == nullptr || offset > size_ || count > (size_ - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(data_ + offset);
  }

 private:
  const unsigned char* data_ = nullptr;
  size_t size_ = 0;
};

struct Relro {
  uintptr_t begin = 0, end = 0;
};

// Section headers are not loaded, but strip keeps them. False: the file does not match the loaded module, or cannot be read.
bool add_sections(const char* path, uintptr_t base, const Relro& relro, Ranges& ranges) {
  const MappedFile file(path);
  const auto* header = file.at<ElfW(Ehdr)>(0);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto* sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  if (sections == nullptr || header->e_shstrndx >= header->e_shnum) return false;
  const ElfW(Shdr)& strings = sections[header->e_shstrndx];
  const char* names = file.at<char>(strings.sh_offset, strings.sh_size);
  if (names == nullptr || strings.sh_size == 0 || names[strings.sh_size - 1] != 0) return false;

  for (size_t i = 0; i < header->e_shnum; ++i) {
    const ElfW(Shdr)& section = sections[i];
    constexpr auto kWanted = SHF_ALLOC | SHF_WRITE;
    if ((section.sh_flags & (kWanted | SHF_TLS)) != kWanted) continue;
    if (section.sh_type != SHT_PROGBITS && section.sh_type != SHT_NOBITS) continue;
    if (section.sh_name >= strings.sh_size) return false;
    const char* name = names + section.sh_name;
    uintptr_t begin = base + section.sh_addr;
    const uintptr_t end = begin + section.sh_size;
    if (foreign_section(name) || (begin >= relro.begin && begin < relro.end)) continue;
    if (ranges.main_program) {
      // Data before the markers belongs to the fuzzing engine and the sanitizers.
      const auto marker = strcmp(name, ".data") == 0  ? reinterpret_cast<uintptr_t>(heddle_user_data_begin)
                          : strcmp(name, ".bss") == 0 ? reinterpret_cast<uintptr_t>(heddle_user_bss_begin)
                                                      : begin;
      if (marker < begin || marker > end) return false;
      begin = marker;
    }
    ranges.add(begin, end);
  }
  return true;
}

int visit_module(dl_phdr_info* info, size_t, void* argument) {
  auto& ranges = *static_cast<Ranges*>(argument);
  const bool main_program = ranges.main_program;
  const char* path = main_program ? "/proc/self/exe" : info->dlpi_name;
  if (is_put_back(*info)) {
    if (main_program) ranges.foreign = find_runtime_data(info->dlpi_addr);
    Relro relro;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info->dlpi_phdr[i];
      if (segment.p_type != PT_GNU_RELRO) continue;
      relro.begin = info->dlpi_addr + segment.p_vaddr;
      relro.end = relro.begin + segment.p_memsz;
    }
    const size_t before = ranges.count;
    if (!add_sections(path, info->dlpi_addr, relro, ranges)) {
      ranges.count = before;
      print_line(2,
                 "heddle: cannot find the variables of %s: they are not restored between executions "
                 "(link it with heddle's wrapper, and keep its section headers)\n",
                 path);
    }
  }
  ranges.main_program = false;  // the executable is visited first
  return 0;
}

// The streams of the C++ library. The linker may have placed them before the executable's own variables.
void add_cxx_streams(Ranges& ranges) {
  CxxStream streams[kCxxStreams];
  const size_t count = find_cxx_streams(streams);
  for (size_t i = 0; i < count; ++i) {
    const auto begin = reinterpret_cast<uintptr_t>(streams[i].object);
    bool there = false;
    for (size_t k = 0; k < ranges.count; ++k) there = there || begin - reinterpret_cast<uintptr_t>(ranges.out[k].begin) < ranges.out[k].size;
    if (!there) ranges.add(begin, begin + streams[i].size);
  }
}

}  // namespace

size_t find_program_data(DataRange (&out)[kMaxDataRanges]) {
  if (keeps_everything()) return 0;
  if (heddle_user_data_begin == nullptr || heddle_user_bss_begin == nullptr) return 0;
  Ranges ranges{out};
  dl_iterate_phdr(visit_module, &ranges);
  if (puts_back_cxx_library()) add_cxx_streams(ranges);
  return ranges.count;
}

}  // namespace heddle::rt
