#include "races/access_notes.h"

namespace heddle::rt {

constinit AccessNotes g_access_notes;

void AccessNotes::begin() {
  if (!enabled_) return;
  notes_.reserve(kMost);
  blocks_.reserve(kMost);
  notes_.clear();
  blocks_.clear();
}

const AccessNote* AccessNotes::find(uint64_t access, uintptr_t address) const {
  const AccessNote* elsewhere = nullptr;
  for (size_t i = notes_.size(); i-- > 0;) {
    const Noted& n = notes_[i];
    if (n.access != access) continue;
    if (n.granule == address >> 3) return &n.note;
    if (elsewhere == nullptr) elsewhere = &n.note;
  }
  return elsewhere;
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
