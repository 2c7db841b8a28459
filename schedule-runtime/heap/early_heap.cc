#include "heap/early_heap.h"

#include <algorithm>
#include <cstring>

#include "base/address_map.h"
#include "base/reserved_array.h"

namespace heddle::rt::early_heap {

constinit bool g_captured = false;

namespace {

constexpr size_t kMaxBlocks = 1 << 20;

struct Block {
  uintptr_t begin;  // 0: freed again
  size_t size;
  uintptr_t caller;
  unsigned char* saved;  // null: not reachable
};

constinit ReservedArray<Block> g_blocks;  // after the capture: sorted by address, and only the reachable ones
constinit AddressMap g_by_address;        // block -> 1 + index. After the capture: only the reachable ones
constinit void* g_first_thread = nullptr;
constinit size_t g_size = 0;

bool is_first_thread() {
  void* const self = __builtin_thread_pointer();
  if (g_first_thread == nullptr) g_first_thread = self;
  return self == g_first_thread;
}

// The block in the sorted array that contains the address.
Block* find(uintptr_t address) {
  Block* const after = std::upper_bound(g_blocks.begin(), g_blocks.end(), address,
                                        [](uintptr_t a, const Block& b) { return a < b.begin; });
  if (after == g_blocks.begin()) return nullptr;
  Block* const b = after - 1;
  return address - b->begin < b->size ? b : nullptr;
}

unsigned char g_mark;  // a non-null placeholder for Block::saved until memory is allocated

void scan(Range range, ReservedArray<uint32_t>& work) {
  const uintptr_t first = (reinterpret_cast<uintptr_t>(range.begin) + 7) & ~uintptr_t{7};
  const uintptr_t end = reinterpret_cast<uintptr_t>(range.begin) + range.size;
  for (uintptr_t at = first; at + sizeof(uintptr_t) <= end; at += sizeof(uintptr_t)) {
    Block* const b = find(*reinterpret_cast<const uintptr_t*>(at));
    if (b == nullptr || b->saved != nullptr) continue;
    b->saved = &g_mark;
    work.push() = static_cast<uint32_t>(b - g_blocks.begin());
  }
}

}  // namespace

size_t size() { return g_size; }

void allocated(void* block, size_t size, uintptr_t caller) {
  if (g_captured || block == nullptr || !is_first_thread()) return;
  g_by_address.initialise(10);
  g_blocks.reserve(kMaxBlocks);
  bool inserted;
  uint32_t& slot = g_by_address.find_or_insert(reinterpret_cast<uintptr_t>(block), inserted);
  if (slot == 0) {
    if (g_blocks.full()) return;
    g_blocks.push();
    slot = static_cast<uint32_t>(g_blocks.size());
  }
  g_blocks[slot - 1] = {reinterpret_cast<uintptr_t>(block), size, caller, nullptr};
}

void freed(void* block) {
  if (g_captured || g_blocks.size() == 0 || !is_first_thread()) return;
  const uint32_t* const slot = g_by_address.find(reinterpret_cast<uintptr_t>(block));
  if (slot != nullptr && *slot != 0) g_blocks[*slot - 1].begin = 0;
}

void capture(const Range* roots, size_t count, bool (*belongs)(uintptr_t caller)) {
  if (g_captured) return;
  g_captured = true;
  const auto live = std::remove_if(g_blocks.begin(), g_blocks.end(), [belongs](const Block& b) { return b.begin == 0 || (b.caller != 0 && !belongs(b.caller)); });
  g_blocks.resize(static_cast<size_t>(live - g_blocks.begin()));
  std::sort(g_blocks.begin(), g_blocks.end(), [](const Block& a, const Block& b) { return a.begin < b.begin; });
  ReservedArray<uint32_t> work;
  work.reserve(g_blocks.size() + 1);
  for (size_t i = 0; i < count; ++i) scan(roots[i], work);
  while (work.size() != 0) {
    const Block& b = g_blocks[work[work.size() - 1]];
    work.resize(work.size() - 1);
    scan({reinterpret_cast<const unsigned char*>(b.begin), b.size}, work);
  }
  work.give_back();

  const auto reached = std::remove_if(g_blocks.begin(), g_blocks.end(), [](const Block& b) { return b.saved == nullptr; });
  g_blocks.resize(static_cast<size_t>(reached - g_blocks.begin()));
  if (g_blocks.size() == 0) return;
  for (const Block& b : g_blocks) g_size += b.size;
  auto* saved = static_cast<unsigned char*>(reserve_memory(g_size + 1));
  g_by_address.clear();
  for (Block& b : g_blocks) {
    bool inserted;
    g_by_address.find_or_insert(b.begin, inserted) = 1;
    memcpy(saved, reinterpret_cast<const void*>(b.begin), b.size);
    b.saved = saved;
    saved += b.size;
  }
}

size_t restore(Overwrites overwrites) {
  size_t changed = 0;
  for (const Block& b : g_blocks) {
    if (memcmp(reinterpret_cast<const void*>(b.begin), b.saved, b.size) == 0) continue;
    if (overwrites != nullptr) overwrites(reinterpret_cast<const void*>(b.begin), b.size);
    memcpy(reinterpret_cast<void*>(b.begin), b.saved, b.size);
    changed += b.size;
  }
  return changed;
}

bool keeps(const void* block) {
  return g_captured && g_blocks.size() != 0 && g_by_address.find(reinterpret_cast<uintptr_t>(block)) != nullptr;
}

}  // namespace heddle::rt::early_heap
