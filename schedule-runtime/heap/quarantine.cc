#include "heap/quarantine.h"

#include "heap/execution_heap.h"
#include "heap/heap_blocks.h"

extern "C" void __libc_free(void* block);

namespace heddle::rt {
namespace {

// If code outside of heddle's control has freed the block meanwhile, it no longer belongs to the quarantine.
void give_back(void* block) {
  if (execution_heap().contains(block)) {
    const HeapBlock found = execution_heap().find(block);
    if (found.record->state() != BlockState::held) return;
    found.record->set(BlockState::freed);
    return execution_heap().put(found);
  }
  if (heap_blocks::let_go(block)) __libc_free(block);
}

}  // namespace

constinit Quarantine g_quarantine(&give_back);

void Quarantine::add(void* block, size_t size) {
  while (count_ == kMaxBlocks || bytes_ + size > kMaxBytes) give_back_oldest();
  entries_[(first_ + count_) % kMaxBlocks] = {block, size};
  ++count_;
  bytes_ += size;
}

void Quarantine::give_back_oldest() {
  const Entry oldest = entries_[first_];
  first_ = (first_ + 1) % kMaxBlocks;
  --count_;
  bytes_ -= oldest.size;
  giving_back_ = true;
  give_back_(oldest.block);
  giving_back_ = false;
}

bool Quarantine::drain() {
  const bool any = count_ != 0;
  while (count_ != 0) give_back_oldest();
  return any;
}

}  // namespace heddle::rt
