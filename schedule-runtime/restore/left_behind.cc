#include "restore/left_behind.h"

#include <link.h>

#include <algorithm>
#include <cstdint>

#include "heap/execution_heap.h"
#include "heap/execution_mappings.h"
#include "restore/initial_state.h"

extern "C" {
// The section of HEDDLE_KEEP. Hidden in the executable; absent without such variables.
extern __attribute__((weak, visibility("hidden"))) const unsigned char __start_heddle_keep[], __stop_heddle_keep[];
}

namespace heddle::rt {
namespace {

struct Range {
  uintptr_t begin, end;
};

// Writable data of shared libraries. The executable's data needs no scan: the program's variables are restored, and the rest is the fuzzing
// engine's and heddle's.
struct Libraries {
  static constexpr size_t kMost = 512;  // more are as good as none
  Range data[kMost] = {};
  size_t count = 0;
  unsigned long long added = 0, removed = 0;  // the dynamic linker's counts when `data` was filled
};
constinit Libraries g_libraries;
constinit size_t g_reclaimed = 0;

void scan(uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = (begin + 7) & ~uintptr_t{7}; at + sizeof(uintptr_t) <= end; at += sizeof(uintptr_t)) {
    const uintptr_t word = *reinterpret_cast<const uintptr_t*>(at);
    execution_heap().keep(word);
    execution_mappings().keep(word);
  }
}

void add_data(uintptr_t begin, uintptr_t end) {
  if (begin < end && g_libraries.count < Libraries::kMost) g_libraries.data[g_libraries.count++] = {begin, end};
}

int add_module(dl_phdr_info* module, size_t, void* again) {
  if (g_libraries.added == module->dlpi_adds && g_libraries.removed == module->dlpi_subs && !*static_cast<bool*>(again)) return 1;
  if (!*static_cast<bool*>(again)) {
    *static_cast<bool*>(again) = true;
    g_libraries.count = 0;
    g_libraries.added = module->dlpi_adds;
    g_libraries.removed = module->dlpi_subs;
  }
  if (module->dlpi_name == nullptr || module->dlpi_name[0] == 0) return 0;
  uintptr_t constant = 0, constant_end = 0;  // read-only once it was relocated
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_GNU_RELRO) continue;
    constant = module->dlpi_addr + segment.p_vaddr;
    constant_end = constant + segment.p_memsz;
  }
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    const uintptr_t begin = module->dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
    add_data(begin, std::min(end, std::max(begin, constant)));
    add_data(std::max(begin, std::min(end, constant_end)), end);
  }
  return 0;
}

// Keeps what outlives its execution.
void keep_what_may_be_used() {
  execution_heap().begin_keeping();
  bool again = false;
  dl_iterate_phdr(add_module, &again);
  for (size_t i = 0; i < g_libraries.count; ++i) scan(g_libraries.data[i].begin, g_libraries.data[i].end);
  scan(reinterpret_cast<uintptr_t>(__start_heddle_keep), reinterpret_cast<uintptr_t>(__stop_heddle_keep));
  execution_heap().visit_kept(scan);
}

}  // namespace

size_t reclaimed_bytes() { return g_reclaimed; }

void renew_memory() {
  ExecutionHeap& heap = execution_heap();
  const bool all = initial_state_size() == 0;  // the harness keeps its state itself, so everything may be in use
  if (!all && (heap.live_blocks() != 0 || execution_mappings().count() != 0)) {
    keep_what_may_be_used();
    g_reclaimed += heap.live_bytes();
  }
  heap.renew(all);
  execution_mappings().renew(all);
}

}  // namespace heddle::rt
