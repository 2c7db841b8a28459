// A decision that the input leaves open is a hash of what has just happened and what is about to happen. It is never drawn from a stream
// (docs/design/runtime-laws.md#decisions). So an insertion at one place does not change the rest of the run.
#pragma once

#include <cstdint>

#include "schema/identity.h"

namespace heddle::rt {

struct DecisionPoint {
  uint64_t seed = 0;
  uint64_t last = 0;  // identity of the last executed event

  uint64_t base() const { return mix(seed, last); }
  // A hash for a question about `subject` at this point.
  uint64_t draw(uint64_t subject) const { return mix(base(), subject); }
  // True with probability numerator / 2^16.
  bool chance(uint64_t subject, uint32_t numerator) const { return (draw(subject) >> 48) < numerator; }
};

}  // namespace heddle::rt
