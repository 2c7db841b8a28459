#include "races/racing_pairs.h"

#include "base/elf.h"
#include "races/full_table.h"
#include "schema/identity.h"

namespace heddle::rt {

void RacingPairs::initialise() {
  pairs_.reserve(kMost);
  known_.initialise(8);
  variables_.initialise(8);
}

void RacingPairs::begin() {
  pairs_.clear();
  known_.clear();
  variables_.clear();
}

bool RacingPairs::is_new(uint32_t a, uint32_t b, bool reported) {
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  bool inserted = false;
  if (known_.size() < 4 * kMost) {
    known_.find_or_insert(low << 32 | high | (reported ? 2ull : 3ull) << 62, inserted);
    if (!inserted) return false;
  }
  if (inserted && !pairs_.full()) return true;
  say_full("racing pairs of positions");
  return false;
}

uint32_t RacingPairs::variable(uintptr_t address) {
  uint64_t h;
  const Symbol* s = is_main_executable(address) ? find_symbol(address) : nullptr;
  if (s != nullptr && s->name != nullptr) {
    h = mix(address - s->start, 1);
    for (const char* c = s->name; *c != 0; ++c) h = (h ^ static_cast<unsigned char>(*c)) * 0x100000001B3ull;
  } else {
    bool inserted;
    uint32_t& number = variables_.find_or_insert(address | 1, inserted);
    if (inserted) number = static_cast<uint32_t>(variables_.size());
    h = mix(number, 2);
  }
  return static_cast<uint32_t>(h ^ h >> 32);
}

}  // namespace heddle::rt
