// Combines the data bytes of two runs that were both useful, one after the other or one inside the other. For messages and records, a
// sequence has a meaning.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool join_payloads(Context& c) {
  std::vector<uint8_t>& bytes = c.schedule.payload;
  auto other = c.other_payload;
  if (other.empty()) return false;
  if (c.rng.chance(1, 2)) {  // a piece of it
    const uint32_t from = c.rng.below(static_cast<uint32_t>(other.size()));
    other = other.subspan(from, 1 + c.rng.below(static_cast<uint32_t>(other.size()) - from));
  }
  if (bytes.size() + other.size() > c.payload_room) return false;
  const auto size = static_cast<uint32_t>(bytes.size());
  const uint32_t at = c.rng.chance(1, 3) ? c.rng.below(size + 1) : c.rng.chance(1, 2) ? size : 0;
  bytes.insert(bytes.begin() + at, other.begin(), other.end());
  return true;
}

}  // namespace heddle::mutator
