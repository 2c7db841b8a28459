#include "memory/ledger.h"

#include <sys/mman.h>

#include <cstdint>

#include "base/reserved_array.h"

namespace heddle::rt::ledger {

constinit size_t g_live = 0;

namespace {

struct Entry {
  uintptr_t block;  // 0: free
  size_t size;
};

constexpr size_t kFirstSlots = 1 << 10;

// Open addressing with linear probing; an entry that goes is filled from behind (Knuth 6.4, algorithm R), so there are no tombstones.
struct Table {
  Entry* slots = nullptr;
  size_t mask = 0;
  size_t bytes = 0;
};
constinit Table g_table;

// A thread-local of the fiber or of the engine's own thread; foreign kernel threads have false.
constinit thread_local bool tls_member = false;

size_t home(uintptr_t block) {
  const uint64_t h = (block >> 4) * 0x9E3779B97F4A7C15ull;
  return (h ^ h >> 32) & g_table.mask;
}

void allocate(size_t slots) {
  g_table.slots = static_cast<Entry*>(reserve_memory(slots * sizeof(Entry)));
  g_table.mask = slots - 1;
}

void put(uintptr_t block, size_t size) {
  size_t i = home(block);
  while (g_table.slots[i].block != 0 && g_table.slots[i].block != block) i = (i + 1) & g_table.mask;
  if (g_table.slots[i].block == 0) ++g_live;
  else g_table.bytes -= g_table.slots[i].size;
  g_table.slots[i] = {block, size};
  g_table.bytes += size;
}

void grow() {
  const Table old = g_table;
  allocate((old.mask + 1) * 2);
  g_live = 0;
  g_table.bytes = 0;
  for (size_t i = 0; i <= old.mask; ++i) {
    if (old.slots[i].block != 0) put(old.slots[i].block, old.slots[i].size);
  }
  munmap(old.slots, (old.mask + 1) * sizeof(Entry));
}

void remove(size_t hole) {
  g_table.bytes -= g_table.slots[hole].size;
  --g_live;
  for (size_t i = hole;;) {
    i = (i + 1) & g_table.mask;
    Entry& e = g_table.slots[i];
    if (e.block == 0) break;
    // It may fill the hole unless its home lies cyclically between the two.
    if (((i - home(e.block)) & g_table.mask) < ((i - hole) & g_table.mask)) continue;
    g_table.slots[hole] = e;
    hole = i;
  }
  g_table.slots[hole] = {0, 0};
}

}  // namespace

void admit_thread() { tls_member = true; }
bool admitted() { return tls_member; }

void begin() {
  admit_thread();
  if (g_table.slots == nullptr) allocate(kFirstSlots);
  if (g_live != 0) {
    for (size_t i = 0; i <= g_table.mask; ++i) g_table.slots[i] = {0, 0};
  }
  g_live = 0;
  g_table.bytes = 0;
}

void allocated(void* block, size_t size) {
  if (block == nullptr || g_table.slots == nullptr) return;
  if (g_live * 2 > g_table.mask) grow();
  put(reinterpret_cast<uintptr_t>(block), size);
}

bool take_out(void* block) {
  if (g_live == 0 || !tls_member) return false;
  const auto key = reinterpret_cast<uintptr_t>(block);
  for (size_t i = home(key); g_table.slots[i].block != 0; i = (i + 1) & g_table.mask) {
    if (g_table.slots[i].block == key) {
      remove(i);
      return true;
    }
  }
  return false;
}

size_t live_bytes() { return g_table.bytes; }

void visit(Visit callback, void* argument) {
  if (g_live == 0) return;
  for (size_t i = 0; i <= g_table.mask; ++i) {
    if (g_table.slots[i].block != 0) callback(reinterpret_cast<void*>(g_table.slots[i].block), g_table.slots[i].size, argument);
  }
}

}  // namespace heddle::rt::ledger
