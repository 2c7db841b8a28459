#include "engine/left_behind.h"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/reserved_array.h"
#include "engine/initial_state.h"
#include "memory/heap_blocks.h"

extern "C" {
// HEDDLE_KEEP's section; hidden in the executable, absent without such variables.
extern __attribute__((weak, visibility("hidden"))) const unsigned char __start_heddle_keep[], __stop_heddle_keep[];
}

namespace heddle::rt {
namespace {

constexpr size_t kEnoughBytes = 8 << 20, kEnoughBlocks = 1 << 15;
constexpr size_t kMaxBlocks = 1 << 22;

struct Block {
  uintptr_t begin;
  size_t size;
  bool kept;
};

constinit ReservedArray<Block> g_blocks;
constinit ReservedArray<uint32_t> g_work;
constinit size_t g_reclaimed = 0;

void gather(void* block, size_t size, void*) {
  if (!g_blocks.full()) g_blocks.push() = {reinterpret_cast<uintptr_t>(block), size, false};
}

void scan(uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = (begin + 7) & ~uintptr_t{7}; at + sizeof(uintptr_t) <= end; at += sizeof(uintptr_t)) {
    const uintptr_t word = *reinterpret_cast<const uintptr_t*>(at);
    Block* const after = std::upper_bound(g_blocks.begin(), g_blocks.end(), word,
                                          [](uintptr_t a, const Block& b) { return a < b.begin; });
    if (after == g_blocks.begin()) continue;
    Block& b = after[-1];
    if (b.kept || word - b.begin >= b.size) continue;
    b.kept = true;
    g_work.push() = static_cast<uint32_t>(&b - g_blocks.begin());
  }
}

// Shared libraries only: in the executable there are the program's variables, which have been put back, and the engine's and ours.
int scan_module(dl_phdr_info* module, size_t, void*) {
  if (module->dlpi_name == nullptr || module->dlpi_name[0] == 0) return 0;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    scan(module->dlpi_addr + segment.p_vaddr, module->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  return 0;
}

}  // namespace

size_t reclaimed_bytes() { return g_reclaimed; }

size_t reclaim_left_behind() {
  if (heap_blocks::live_bytes() < kEnoughBytes && heap_blocks::live_blocks() < kEnoughBlocks) return 0;
  if (initial_state_size() == 0) return 0;  // the harness keeps its state itself: everything may be in use
  g_blocks.reserve(kMaxBlocks);
  g_work.reserve(kMaxBlocks);
  g_blocks.clear();
  heap_blocks::visit_live(gather, nullptr);
  std::sort(g_blocks.begin(), g_blocks.end(), [](const Block& a, const Block& b) { return a.begin < b.begin; });
  dl_iterate_phdr(scan_module, nullptr);
  scan(reinterpret_cast<uintptr_t>(__start_heddle_keep), reinterpret_cast<uintptr_t>(__stop_heddle_keep));
  while (g_work.size() != 0) {
    const Block& b = g_blocks[g_work[g_work.size() - 1]];
    g_work.resize(g_work.size() - 1);
    scan(b.begin, b.begin + b.size);
  }
  size_t bytes = 0;
  for (const Block& b : g_blocks) {
    heap_blocks::forget(reinterpret_cast<void*>(b.begin));  // a kept block is not looked at again
    if (b.kept) continue;
    bytes += b.size;
    free(reinterpret_cast<void*>(b.begin));
  }
  g_reclaimed += bytes;
  return bytes;
}

}  // namespace heddle::rt
