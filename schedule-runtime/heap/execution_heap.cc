#include "heap/execution_heap.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>

#include "base/address_layout.h"
#include "base/check.h"
#include "base/raw_syscall.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace heddle::rt {
namespace {

constexpr size_t kMaxKept = 1 << 22;

}  // namespace

constinit ExecutionHeap g_execution_heap;

void ExecutionHeap::initialise() {
  if (kept_.capacity() != 0) return;
  const AddressLayout& layout = address_layout();
  size_ = layout.heap_size();
  program_size_ = layout.program;
  const long got = raw_syscall(SYS_mmap, layout.heap, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                               static_cast<uintptr_t>(-1), 0);
  // Taken, or more than this machine has. An old kernel takes the address for a wish.
  base_ = got > 0 ? static_cast<uintptr_t>(got) : word(reserve_memory(size_));
  if (low_addresses() && base_ != layout.heap) fail("HEDDLE_OPTIONS: low_addresses=1: the memory from 0x48000000 to 0x6c000000 is not free in this process");
  stores_[0].small.initialise(base_, layout.program_small);
  stores_[0].large.initialise(base_ + layout.program_small, layout.program - layout.program_small);
  stores_[1].small.initialise(base_ + layout.program, layout.library_small);
  stores_[1].large.initialise(base_ + layout.program + layout.library_small, layout.library - layout.library_small);
  kept_.reserve(kMaxKept);
}

HeapBlock ExecutionHeap::get_large(Part part, size_t size, size_t alignment, size_t& zero) {
  const HeapBlock block = stores_[static_cast<int>(part)].large.get(size, alignment, zero);
  if (part == Part::program) counts(block);
  return block;
}

__attribute__((noinline)) HeapBlock ExecutionHeap::get_unusual(Part part, size_t size, size_t alignment) {
  size_t zero;
  if (size > size_classes::kLargest || alignment > size_classes::kPage) return get_large(part, size, alignment, zero);
  // Runs begin at page boundaries. One of the sizes is a power of two, so the loop ends.
  unsigned index = size_classes::of(size > alignment ? size : alignment);
  while (size_classes::kAll[index].size % alignment != 0) ++index;
  const HeapBlock block = stores_[static_cast<int>(part)].small.get(index);
  if (part == Part::program) counts(block);
  return block;
}

HeapBlock ExecutionHeap::get_zero(Part part, size_t size) {
  size_t zero = size;
  const HeapBlock block = size > size_classes::kLargest ? get_large(part, size, 0, zero) : get(part, size, 0);
  if (block) memset(reinterpret_cast<void*>(block.begin), 0, zero < size ? zero : size);
  return block;
}

bool ExecutionHeap::resize(HeapBlock& block, size_t size) {
  Store& store = store_of(block.begin);
  if (store.small.contains(block.begin)) return size <= block.size;
  const bool counted = block.record->state() == BlockState::live && of_program_part(block.begin);
  const size_t before = block.size;
  if (!store.large.resize(block, size)) return false;
  if (counted) live_bytes_ += block.size - before;
  return true;
}

void ExecutionHeap::put_from_outside(const void* address) {
  void* const block = const_cast<void*>(address);
  void* next = __atomic_load_n(&outside_, __ATOMIC_RELAXED);
  do *static_cast<void**>(block) = next;
  while (!__atomic_compare_exchange_n(&outside_, &next, block, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

void ExecutionHeap::take_from_outside() {
  for (void* next = __atomic_exchange_n(&outside_, nullptr, __ATOMIC_ACQUIRE); next != nullptr && contains(next);) {
    const HeapBlock block = find(next);
    if (!block || !block.record->is_live()) break;  // freed twice or overwritten by the program: the rest of the list is lost
    next = *static_cast<void**>(next);
    ends(block, BlockState::gone);
    put(block);
  }
}

void ExecutionHeap::begin_keeping() {
  take_from_outside();
  size_t kept = 0;
  for (const HeapBlock& block : kept_) {
    if (block.record->state() == BlockState::kept) kept_[kept++] = block;
  }
  kept_.resize(kept);
}

void ExecutionHeap::keep_block(uintptr_t address) {
  const Store& store = store_of(address);
  const HeapBlock block = store.small.contains(address) ? store.small.find(address, true) : store.large.find(address, true);
  if (!block || block.record->state() != BlockState::live) return;
  uncounts(block);
  block.record->set(BlockState::kept);
  if (!kept_.full()) kept_.push() = block;
}

void ExecutionHeap::renew(bool all) {
  take_from_outside();
  if (!all) live_blocks_ = live_bytes_ = 0;
  for (Store& store : stores_) {
    store.small.renew(all || &store == &stores_[1]);
    store.large.renew(all || &store == &stores_[1]);
  }
}

}  // namespace heddle::rt
