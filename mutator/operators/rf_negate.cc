// Inverts a reads-from constraint.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool rf_negate(Context& c) {
  auto& list = c.schedule.reads_from;
  if (list.empty()) return false;
  list[c.rng.below(static_cast<uint32_t>(list.size()))].negative ^= 1;
  return true;
}

}  // namespace heddle::mutator
