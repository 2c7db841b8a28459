#include "base/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "base/module_kind.h"
#include "base/path.h"
#include "base/raw_syscall.h"

namespace heddle::rt {

namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Entry = ElfW(Sym);

struct Table {
  const unsigned char* entries = nullptr;
  size_t count = 0;
  size_t stride = 0;
  const char* names = nullptr;
  size_t names_size = 0;
  bool full = false;  // .symtab, not just the exported .dynsym

  Entry entry(size_t i) const {
    Entry e;  // in a damaged file, tables may be unaligned
    memcpy(&e, entries + i * stride, sizeof e);
    return e;
  }
};

bool inside(const Image& image, uint64_t offset, uint64_t size) {
  return offset <= image.size && size <= image.size - offset;
}

bool read_section(const Image& image, const Header& header, size_t i, Section* out) {
  const uint64_t offset = header.e_shoff + i * header.e_shentsize;
  if (header.e_shentsize < sizeof *out || i >= header.e_shnum) return false;
  if (offset < header.e_shoff || !inside(image, offset, sizeof *out)) return false;
  memcpy(out, image.data + offset, sizeof *out);
  return true;
}

bool read_table(const Image& image, const Header& header, const Section& symbols, Table* out) {
  Section names;
  if (!read_section(image, header, symbols.sh_link, &names) || names.sh_type != SHT_STRTAB) {
    return false;
  }
  if (!inside(image, symbols.sh_offset, symbols.sh_size) || symbols.sh_entsize < sizeof(Entry) ||
      !inside(image, names.sh_offset, names.sh_size) || names.sh_size == 0 ||
      image.data[names.sh_offset + names.sh_size - 1] != 0) {
    return false;
  }
  out->entries = image.data + symbols.sh_offset;
  out->stride = symbols.sh_entsize;
  out->count = symbols.sh_size / symbols.sh_entsize;
  out->names = reinterpret_cast<const char*>(image.data + names.sh_offset);
  out->names_size = names.sh_size;
  out->full = symbols.sh_type == SHT_SYMTAB;
  return true;
}

Table find_table(const Image& image) {
  Table best;
  Header header;
  if (image.size < sizeof header) return best;
  memcpy(&header, image.data, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32)) {
    return best;
  }
  Section section;
  for (size_t i = 0; !best.full && read_section(image, header, i, &section); ++i) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    Table table;
    if (read_table(image, header, section, &table)) best = table;
  }
  return best;
}

bool wanted(const Table& table, const Entry& e) {
  const unsigned type = e.st_info & 0xF;
  if (type != STT_FUNC && type != STT_OBJECT && type != STT_GNU_IFUNC) return false;
  return e.st_shndx != SHN_UNDEF && e.st_shndx != SHN_ABS && e.st_name != 0 &&
         e.st_name < table.names_size && e.st_value != 0;
}

bool before(const Symbol& a, const Symbol& b) {
  if (a.start != b.start) return a.start < b.start;
  if (a.size != b.size) return a.size > b.size;
  return strcmp(a.name, b.name) < 0;
}

struct Module {
  uintptr_t bias;
  uintptr_t begin, end;
  const char* path;
  bool main;
  bool bare;  // see of_bare_library
  bool loaded;
  Image image;
  const Symbol* symbols;
  size_t count;
};

constexpr size_t kMaxModules = 512;
constinit Module modules[kMaxModules] = {};
constinit size_t module_count = 0;
constinit size_t last_hit = 0;
constinit unsigned long long seen_changes = ~0ull;

struct Survey {
  size_t count;
  unsigned long long changes;
};

int count_changes(dl_phdr_info* info, size_t, void* argument) {
  *static_cast<unsigned long long*>(argument) = info->dlpi_adds + info->dlpi_subs;
  return 1;
}

int add_module(dl_phdr_info* info, size_t, void* argument) {
  auto* survey = static_cast<Survey*>(argument);
  const bool main = survey->count++ == 0;  // documented: the executable comes first
  uintptr_t begin = ~uintptr_t{0}, end = 0;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    begin = std::min<uintptr_t>(begin, info->dlpi_addr + segment.p_vaddr);
    end = std::max<uintptr_t>(end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (begin >= end) return 0;
  for (size_t i = 0; i < module_count; ++i) {
    Module& known = modules[i];
    if (known.begin == begin && known.end == end && known.bias == info->dlpi_addr) return 0;
    if (known.begin < end && begin < known.end) known.begin = known.end = 0;  // was unloaded
  }
  if (module_count == kMaxModules) return 0;
  Module& module = modules[module_count++];
  module = {};
  module.bias = info->dlpi_addr;
  module.begin = begin;
  module.end = end;
  module.path = main ? kOwnExecutable : info->dlpi_name;
  module.main = main;
  const bool file = strchr(info->dlpi_name, '/') != nullptr;  // and not the vdso
  module.bare = !main && file && !is_system_library(info->dlpi_name) && !is_instrumented(*info);
  return 0;
}

bool refresh() {
  unsigned long long changes = 0;
  dl_iterate_phdr(&count_changes, &changes);
  if (changes == seen_changes) return false;
  seen_changes = changes;
  Survey survey = {};
  dl_iterate_phdr(&add_module, &survey);
  return true;
}

Module* known_module(uintptr_t address) {
  if (last_hit < module_count) {
    Module& hit = modules[last_hit];
    if (address >= hit.begin && address < hit.end) return &hit;
  }
  for (size_t i = 0; i < module_count; ++i) {
    if (address < modules[i].begin || address >= modules[i].end) continue;
    last_hit = i;
    return &modules[i];
  }
  return nullptr;
}

Module* module_of(uintptr_t address) {
  if (Module* module = known_module(address)) return module;
  return refresh() ? known_module(address) : nullptr;
}

void* map_memory(size_t size, int protection, int flags, long fd) {
  const long p = raw_syscall(SYS_mmap, 0, size, protection, flags, static_cast<uintptr_t>(fd), 0);
  return p < 0 && p > -4096 ? nullptr : reinterpret_cast<void*>(p);
}

void load(Module* module) {
  if (module->loaded) return;
  module->loaded = true;
  module->image = map_file(module->path);
  const size_t capacity = count_symbols(module->image);
  if (capacity == 0) return;
  auto* symbols = static_cast<Symbol*>(map_memory(capacity * sizeof(Symbol), PROT_READ | PROT_WRITE,
                                                  MAP_PRIVATE | MAP_ANONYMOUS, -1));
  if (symbols == nullptr) return;
  module->symbols = symbols;
  module->count = collect_symbols(module->image, module->bias, symbols, capacity);
  // If the size of the last symbol is unknown, it reaches to the end of the module.
  if (module->count == 0) return;
  Symbol& last = symbols[module->count - 1];
  if (last.size == 0 && last.start < module->end) last.size = module->end - last.start;
}

}  // namespace

Image map_file(const char* path) {
  Image image = {};
  const auto open = [](const char* file) { return raw_syscall(SYS_openat, word(AT_FDCWD), word(file), O_RDONLY | O_CLOEXEC); };
  long fd = open(path);
  // Without /proc: by the name that the program was started with, which holds until the working directory changes.
  if (fd < 0 && strcmp(path, kOwnExecutable) == 0) fd = open(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
  if (fd < 0) return image;
  struct stat status;
  if (raw_syscall(SYS_fstat, fd, word(&status)) == 0 && status.st_size > 0) {
    image.size = status.st_size;
    image.data = static_cast<unsigned char*>(map_memory(image.size, PROT_READ, MAP_PRIVATE, fd));
    if (image.data == nullptr) image.size = 0;
  }
  raw_syscall(SYS_close, fd);
  return image;
}

namespace {

bool executable_can_be_read() {
  const Image image = map_file(kOwnExecutable);
  unmap_file(image);
  return image.size != 0;
}

}  // namespace

const char* why_no_symbols() { return executable_can_be_read() ? "the executable is stripped" : "the file of the executable cannot be read"; }
const char* what_symbols_need() {
  return executable_can_be_read() ? "Link it without -s, and do not strip it" : "Mount /proc, or start the program by a path that leads to its file";
}

void unmap_file(const Image& image) {
  if (image.data != nullptr) raw_syscall(SYS_munmap, word(image.data), image.size);
}

bool each_symbol(const Image& image, RawSymbolCallback callback, void* argument) {
  const Table table = find_table(image);
  for (size_t i = 0; i < table.count; ++i) {
    const Entry e = table.entry(i);
    // The unit of link-time optimisation has no name.
    const bool unit = (e.st_info & 0xF) == STT_FILE;
    if ((e.st_name == 0 && !unit) || e.st_name >= table.names_size) continue;
    const bool local = e.st_info >> 4 == STB_LOCAL;
    callback({table.names + e.st_name, static_cast<uint8_t>(e.st_info & 0xF), e.st_shndx != SHN_UNDEF, local, e.st_value, e.st_size}, argument);
  }
  return table.full;
}

size_t count_symbols(const Image& image) {
  const Table table = find_table(image);
  size_t n = 0;
  for (size_t i = 0; i < table.count; ++i) n += wanted(table, table.entry(i));
  return n;
}

size_t collect_symbols(const Image& image, uintptr_t bias, Symbol* out, size_t capacity) {
  const Table table = find_table(image);
  size_t n = 0;
  for (size_t i = 0; i < table.count && n < capacity; ++i) {
    const Entry e = table.entry(i);
    if (!wanted(table, e)) continue;
    out[n++] = {table.names + e.st_name, bias + e.st_value, e.st_size,
                static_cast<uint8_t>(e.st_info & 0xF)};
  }
  std::sort(out, out + n, before);
  Symbol* end = std::unique(out, out + n,
                            [](const Symbol& a, const Symbol& b) { return a.start == b.start; });
  n = end - out;
  for (size_t i = 0; i + 1 < n; ++i) {
    if (out[i].size == 0) out[i].size = out[i + 1].start - out[i].start;
  }
  return n;
}

const Symbol* find_symbol(uintptr_t address) {
  Module* module = module_of(address);
  if (module == nullptr) return nullptr;
  load(module);
  const Symbol* begin = module->symbols;
  const Symbol* next =
      std::upper_bound(begin, begin + module->count, address,
                       [](uintptr_t value, const Symbol& symbol) { return value < symbol.start; });
  // A symbol can be inside a larger one. So look a few entries back for one that reaches this far.
  constexpr int kNesting = 16;
  for (int i = 0; i < kNesting && next != begin; ++i) {
    --next;
    if (address - next->start < next->size) return next;
  }
  return nullptr;
}

uintptr_t module_base_of(uintptr_t address) {
  const Module* module = module_of(address);
  return module != nullptr ? module->bias : 0;
}

const char* module_name_of(uintptr_t address) {
  const Module* module = module_of(address);
  return module != nullptr ? module->path : nullptr;
}

bool of_bare_library(uintptr_t address) {
  const Module* module = module_of(address);
  return module != nullptr && module->bare;
}

size_t count_bare_libraries() {
  refresh();
  size_t count = 0;
  for (size_t i = 0; i < module_count; ++i) count += modules[i].bare && modules[i].begin != modules[i].end;
  return count;
}

bool of_c_library(uintptr_t address) {
  const char* const module = module_name_of(address);
  if (module == nullptr) return false;
  const char* const name = base_name(module);
  return strncmp(name, "libc.", 5) == 0 || strncmp(name, "libc-", 5) == 0;
}

// The executable is the first module of the first survey and stays the first.
bool is_main_executable(uintptr_t address) {
  if (__builtin_expect(module_count == 0, 0)) refresh();
  const Module& first = modules[0];
  return first.main && address - first.begin < first.end - first.begin;
}

void each_function(SymbolCallback callback, void* argument) {
  refresh();
  for (size_t m = 0; m < module_count; ++m) {
    if (modules[m].begin == modules[m].end) continue;
    load(&modules[m]);
    for (size_t i = 0; i < modules[m].count; ++i) {
      if (modules[m].symbols[i].type == STT_FUNC) callback(modules[m].symbols[i], argument);
    }
  }
}

bool tls_symbols(SymbolCallback callback, void* argument) {
  refresh();
  if (module_count == 0) return false;
  load(&modules[0]);
  const Table table = find_table(modules[0].image);
  for (size_t i = 0; i < table.count; ++i) {
    const Entry e = table.entry(i);
    if ((e.st_info & 0xF) != STT_TLS || e.st_shndx == SHN_UNDEF) continue;
    if (e.st_name >= table.names_size) continue;
    const Symbol symbol = {table.names + e.st_name, e.st_value, e.st_size, STT_TLS};
    callback(symbol, argument);
  }
  return table.full;
}

}  // namespace heddle::rt
