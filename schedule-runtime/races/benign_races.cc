#include "races/benign_races.h"

namespace heddle::rt {

constinit BenignRaces g_benign_races;

bool BenignRaces::within(const ReservedArray<Range>& ranges, uintptr_t address) {
  for (const Range& r : ranges) {
    if (address >= r.begin && address < r.end) return true;
  }
  return false;
}

void BenignRaces::add(uintptr_t address, size_t size, bool lasting) {
  if (address == 0 || size == 0) return;
  const uintptr_t end = address + size;
  if (lasting) {
    while (__atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE)) {}
    lasting_.reserve(kMost);
    if (!lasting_.full()) lasting_.push() = {address, end};
    __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
    return;
  }
  bool inserted;
  uint32_t& slot = by_address_.find_or_insert(address, inserted);
  if (slot == 0) {
    if (present_.full()) return;
    present_.push() = {address, address};
    slot = static_cast<uint32_t>(present_.size());
  }
  Range& r = present_[slot - 1];
  if (r.end < end) r.end = end;
  if (address < low_) low_ = address;
  if (end > high_) high_ = end;
}

void BenignRaces::drop(uintptr_t begin, uintptr_t end) {
  for (Range& r : present_) {
    if (r.begin < end && r.end > begin) r.end = r.begin;
  }
}

}  // namespace heddle::rt
