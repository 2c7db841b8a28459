#include "races/access_notes.h"

namespace heddle::rt {
namespace {

uint64_t key(uint64_t access, uintptr_t address) { return mix(access, address >> 3) | 1; }

}  // namespace

constinit AccessNotes g_access_notes;

void AccessNotes::begin() {
  if (!enabled_) return;
  by_access_.initialise(12);
  notes_.reserve(kMost);
  blocks_.reserve(kMost);
  by_access_.clear();
  notes_.clear();
  blocks_.clear();
}

// An access of more than eight bytes is found by its first eight bytes; for the bytes after them, without the address.
void AccessNotes::note(uint64_t access, uintptr_t address, const AccessNote& note) {
  if (notes_.full()) return;  // the report says less then
  notes_.push() = note;
  bool inserted;
  by_access_.find_or_insert(key(access, address), inserted) = static_cast<uint32_t>(notes_.size());
  by_access_.find_or_insert(key(access, 0), inserted) = static_cast<uint32_t>(notes_.size());
}

const AccessNote* AccessNotes::find(uint64_t access, uintptr_t address) {
  if (notes_.size() == 0) return nullptr;
  const uint32_t* n = by_access_.find(key(access, address));
  if (n == nullptr) n = by_access_.find(key(access, 0));
  return n != nullptr ? &notes_[*n - 1] : nullptr;
}

void AccessNotes::note_block(const BlockNote& block) {
  if (!blocks_.full()) blocks_.push() = block;
}

const BlockNote* AccessNotes::block_of(uintptr_t address) const {
  for (size_t i = blocks_.size(); i-- > 0;) {
    if (address - blocks_[i].begin < blocks_[i].size) return &blocks_[i];
  }
  return nullptr;
}

}  // namespace heddle::rt
