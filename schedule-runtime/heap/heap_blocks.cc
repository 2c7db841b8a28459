#include "heap/heap_blocks.h"

#include <atomic>

#include "base/reserved_array.h"
#include "heap/execution_heap.h"

namespace heddle::rt::heap_blocks {
namespace {

constexpr size_t kFirstSlots = 1 << 10;
constexpr size_t kMaxFreed = 1 << 20;  // beyond that they are forgotten
constexpr uint32_t kGone = ~0u, kHeld = kGone - 1, kLastGeneration = 1u << 31;

struct Slot {
  uintptr_t block;  // 0: never used
  Freed by;
  uint32_t state;   // kGone, kHeld, or the generation in which it was freed
};
static_assert(sizeof(Slot) == 24);

// Open addressing with linear probing. If a block is not freed in the current generation, its slot can be reused. So slots are never
// removed from a chain.
struct Table {
  Slot* slots = nullptr;
  size_t mask = 0;
  size_t used = 0;  // slots with a block
};
constinit Table g_table;
// Generation of freed blocks. A new one begins with each execution, and each time a thread outside of heddle's control gets a block.
constinit std::atomic<uint32_t> g_generation{1};
// A thread-local of the fiber, or of the fuzzing engine's own thread.
constinit thread_local bool tls_admitted = false;

uint32_t generation() { return g_generation.load(std::memory_order_relaxed); }
bool is_freed(const Slot& s) { return s.state == generation() || s.state == kHeld; }

size_t home(uintptr_t block) {
  const uint64_t h = (block >> 4) * 0x9E3779B97F4A7C15ull;
  return (h ^ h >> 32) & g_table.mask;
}

void allocate(size_t slots) { g_table = {static_cast<Slot*>(reserve_memory(slots * sizeof(Slot))), slots - 1, 0}; }

// REQUIRES: no slot has the block.
Slot& add(uintptr_t block) {
  size_t i = home(block);
  while (g_table.slots[i].block != 0) i = (i + 1) & g_table.mask;
  ++g_table.used;
  g_table.slots[i].block = block;
  return g_table.slots[i];
}

// Drops reusable slots. Grows the table unless that leaves plenty of room.
__attribute__((noinline)) void make_room() {
  const Table old = g_table;
  size_t freed = 0;
  for (size_t i = 0; i <= old.mask; ++i) freed += old.slots[i].block != 0 && is_freed(old.slots[i]);
  if (freed > kMaxFreed) {
    g_generation.fetch_add(1, std::memory_order_relaxed);
    freed = 0;
  }
  size_t slots = kFirstSlots;
  while (slots < 4 * freed) slots *= 2;
  allocate(slots);
  for (size_t i = 0; i <= old.mask; ++i) {
    const Slot& s = old.slots[i];
    if (s.block != 0 && is_freed(s)) add(s.block) = s;
  }
  unmap_pages(old.slots, (old.mask + 1) * sizeof(Slot));
}

Slot* find(uintptr_t block) {
  if (g_table.used == 0 || !tls_admitted) return nullptr;
  for (size_t i = home(block); g_table.slots[i].block != 0; i = (i + 1) & g_table.mask) {
    if (g_table.slots[i].block == block) return &g_table.slots[i];
  }
  return nullptr;
}

Slot& find_or_add(uintptr_t block) {
  Slot* room = nullptr;
  for (size_t i = home(block);; i = (i + 1) & g_table.mask) {
    Slot& s = g_table.slots[i];
    if (s.block == block) return s;
    if (s.block == 0) break;
    if (room == nullptr && !is_freed(s)) room = &s;
  }
  if (room == nullptr) {
    if (2 * g_table.used > g_table.mask) make_room();
    room = &add(block);
  }
  *room = {block, {}, kGone};
  return *room;
}

uintptr_t key(const void* block) { return reinterpret_cast<uintptr_t>(block); }

}  // namespace

void admit_thread() { tls_admitted = true; }
bool admitted() { return tls_admitted; }

void begin() {
  admit_thread();
  if (g_table.slots != nullptr) unmap_pages(g_table.slots, (g_table.mask + 1) * sizeof(Slot));
  allocate(kFirstSlots);
}

void begin_execution() {
  if (generation() < kLastGeneration) {
    g_generation.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  // Called when the generation numbers wrap around.
  for (size_t i = 0; g_table.slots != nullptr && i <= g_table.mask; ++i) g_table.slots[i].state = kGone;
  g_generation.store(1, std::memory_order_relaxed);
}

void given_elsewhere(const void* block) {
  if (!tls_admitted) g_generation.fetch_add(1, std::memory_order_relaxed);
  else forget(block);
}

const Freed* freed(const void* block, const Freed& by, bool held) {
  if (g_table.slots == nullptr || !tls_admitted) return nullptr;
  Slot& s = find_or_add(key(block));
  if (is_freed(s)) return &s.by;
  s.state = held ? kHeld : generation();
  s.by = by;
  return nullptr;
}

bool let_go(const void* block) {
  Slot* const s = find(key(block));
  if (s == nullptr || s->state != kHeld) return false;
  s->state = generation();
  return true;
}

const Freed* find_freed(const void* block) {
  if (execution_heap().contains(block)) {
    const HeapBlock found = execution_heap().find(block);
    return found && found.record->is_freed() ? &found.record->by : nullptr;
  }
  const Slot* const s = find(key(block));
  return s != nullptr && is_freed(*s) ? &s->by : nullptr;
}

void forget(const void* block) {
  if (Slot* const s = find(key(block))) s->state = kGone;
}

}  // namespace heddle::rt::heap_blocks
