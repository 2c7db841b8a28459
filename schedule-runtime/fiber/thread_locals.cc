#include "fiber/thread_locals.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <locale.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/elf.h"
#include "base/line.h"
#include "base/path.h"
#include "base/reserved_array.h"
#include "base/runtime_names.h"
#include "fiber/context.h"
#include "fiber/library_locals.h"

namespace heddle::fiber::thread_locals {

namespace {

// Offset from the thread pointer. Negative on x86-64, where the block is below the thread pointer.
struct Range {
  intptr_t offset;
  size_t size;
};

// In practice, there are never more runtime variables than this between the program's own. Variables that do not fit are not restored, and
// a note says so.
constexpr size_t kMaxRanges = 256;
constexpr size_t kMaxKept = 256;
// Static blocks are next to the thread pointer. Those of dlopen'd libraries are on the heap.
constexpr uintptr_t kStaticReach = 64 << 20;

constinit Range ranges[kMaxRanges] = {};
constinit size_t range_count = 0;
constinit size_t snapshot_size = 0;
constinit Range kept[kMaxKept] = {};
constinit size_t kept_count = 0;
constinit bool crowded = false;
constinit bool surveyed = false;

constinit intptr_t executable_block = 0;
constinit intptr_t errno_offset = 0;
constinit intptr_t fuzzer_flag = 0;
constinit bool has_fuzzer_flag = false;

void note_symbol(const rt::Symbol& symbol, void*) {
  if (rt::starts_with(symbol.name, "_ZN6fuzzer6Fuzzer10IsMyThreadE")) {
    fuzzer_flag = executable_block + static_cast<intptr_t>(symbol.start);
    has_fuzzer_flag = true;
  }
  if (symbol.size == 0 || !belongs_to_a_runtime(symbol.name)) return;
  if (kept_count == kMaxKept) {
    crowded = true;
    return;
  }
  kept[kept_count++] = {executable_block + static_cast<intptr_t>(symbol.start), symbol.size};
}

void add_range(intptr_t begin, intptr_t end) {
  if (begin >= end) return;
  if (range_count == kMaxRanges) {
    crowded = true;
    return;
  }
  ranges[range_count++] = {begin, static_cast<size_t>(end - begin)};
  snapshot_size += static_cast<size_t>(end - begin);
}

struct Walk {
  size_t modules;
  uintptr_t thread_pointer;
};

int survey_module(dl_phdr_info* info, size_t size, void* argument) {
  auto* walk = static_cast<Walk*>(argument);
  const bool executable = walk->modules++ == 0;
  if (size < offsetof(dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data) return 0;
  const ElfW(Phdr)* segment = nullptr;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_TLS) segment = &info->dlpi_phdr[i];
  }
  if (segment == nullptr || segment->p_memsz == 0) return 0;
  if (!executable && is_system_library(info->dlpi_name)) return 0;
  const auto block = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
  const auto offset = static_cast<intptr_t>(block - walk->thread_pointer);
  const uintptr_t distance = offset < 0 ? -static_cast<uintptr_t>(offset) : offset;
  if (block == 0 || distance > kStaticReach) return 0;  // opened with dlopen (library_locals.h)
  library_locals::leave_out(info->dlpi_tls_modid);
  const intptr_t end = offset + static_cast<intptr_t>(segment->p_memsz);
  if (!executable) {
    add_range(offset, end);
    return 0;
  }
  executable_block = offset;
  if (!rt::tls_symbols(&note_symbol, nullptr)) {
    rt::print_line(2,
                   "heddle: %s: the sanitizers' thread-local variables cannot be "
                   "distinguished from the program's, and libFuzzer's -timeout may not work. %s\n",
                   rt::why_no_symbols(), rt::what_symbols_need());
  }
  std::sort(kept, kept + kept_count,
            [](const Range& a, const Range& b) { return a.offset < b.offset; });
  intptr_t at = offset;
  for (size_t i = 0; i < kept_count; ++i) {
    add_range(at, std::min(kept[i].offset, end));
    at = std::max(at, kept[i].offset + static_cast<intptr_t>(kept[i].size));
  }
  add_range(at, end);
  return 0;
}

char* at(const Fiber* fiber, intptr_t offset) {
  return reinterpret_cast<char*>(fiber->thread_pointer + offset);
}

// Compares before writing: clean pages stay clean, and most variables are not written in most runs. Small parts are written without
// comparing, because a branch misprediction costs more.
void put_back(char* to, const unsigned char* from, size_t size) {
  using Block = uint64_t __attribute__((vector_size(32)));
  constexpr size_t kLittle = 512;
  const bool compare = size > kLittle;
  size_t i = 0;
  for (; i + sizeof(Block) <= size; i += sizeof(Block)) {
    Block is, was;
    __builtin_memcpy(&is, to + i, sizeof is);
    __builtin_memcpy(&was, from + i, sizeof was);
    if (!compare || __builtin_reduce_or(is ^ was) != 0) __builtin_memcpy(to + i, &was, sizeof was);
  }
  for (; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) __builtin_memcpy(to + i, from + i, sizeof(uint64_t));
  for (; i < size; ++i) to[i] = static_cast<char>(from[i]);
}

}  // namespace

namespace {

struct Wanted {
  uintptr_t in_block;
  rt::Symbol found;
};

void look_at(const rt::Symbol& symbol, void* argument) {
  auto* wanted = static_cast<Wanted*>(argument);
  if (wanted->in_block - symbol.start < symbol.size) wanted->found = symbol;
}

}  // namespace

const char* name_at(const Fiber* fiber, uintptr_t address, uintptr_t& offset_within) {
  const auto offset = static_cast<intptr_t>(address - reinterpret_cast<uintptr_t>(at(fiber, 0)));
  offset_within = static_cast<uintptr_t>(offset - errno_offset);
  if (offset_within < sizeof(int)) return "errno";
  Wanted wanted = {static_cast<uintptr_t>(offset - executable_block), {}};
  rt::tls_symbols(&look_at, &wanted);
  offset_within = wanted.in_block - wanted.found.start;
  return wanted.found.name;
}

bool belongs_to_a_runtime(const char* name) { return rt::names_runtime_variable(name) || rt::in_namespace(name, "6heddle"); }

bool is_system_library(const char* path) {
  const char* const name = rt::base_name(path);
  static constexpr const char* kSystem[] = {
      "libc.so",    "libc-",       "ld-linux",   "libpthread",  "libm.so",
      "libdl.so",   "librt.so",    "libresolv",  "libgcc_s.so", "libclang_rt",
      "libasan.so", "libubsan.so", "liblsan.so", "libtsan.so",  "linux-vdso"};
  for (const char* prefix : kSystem) {
    if (rt::starts_with(name, prefix)) return true;
  }
  return false;
}

void survey() {
  if (surveyed) return;
  surveyed = true;
  Walk walk = {0, context::thread_pointer()};
  errno_offset = static_cast<intptr_t>(reinterpret_cast<uintptr_t>(&errno) - walk.thread_pointer);
  dl_iterate_phdr(&survey_module, &walk);
  if (crowded) {
    rt::print_line(2,
                   "heddle: the runtimes have too many thread-local variables: some of those of "
                   "the program are not fresh in each thread\n");
  }
}

bool take_snapshot(Fiber* fiber) {
  if (snapshot_size == 0) return true;
  auto* copy = static_cast<unsigned char*>(rt::map_pages(snapshot_size));
  if (copy == nullptr) return false;
  fiber->snapshot = copy;
  for (size_t i = 0; i < range_count; ++i) {
    __builtin_memcpy(copy, at(fiber, ranges[i].offset), ranges[i].size);
    copy += ranges[i].size;
  }
  return true;
}

void restore(Fiber* fiber) {
  const unsigned char* copy = fiber->snapshot;
  if (copy == nullptr) return;
  for (size_t i = 0; i < range_count; ++i) {
    put_back(at(fiber, ranges[i].offset), copy, ranges[i].size);
    copy += ranges[i].size;
  }
}

void begin(Fiber* fiber) {
  *reinterpret_cast<int*>(at(fiber, errno_offset)) = 0;
  if (has_fuzzer_flag) *at(fiber, fuzzer_flag) = *at(root(), fuzzer_flag);
}

void enter() {
  uselocale(LC_GLOBAL_LOCALE);
  library_locals::begin();
}

void for_each_range(const Fiber* fiber, RangeCallback callback, void* argument) {
  for (size_t i = 0; i < range_count; ++i) {
    callback(at(fiber, ranges[i].offset), ranges[i].size, argument);
  }
}

}  // namespace heddle::fiber::thread_locals
