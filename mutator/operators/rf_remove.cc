// Removes a reads-from constraint.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool rf_remove(Context& c) {
  auto& list = c.schedule.reads_from;
  if (list.empty()) return false;
  list.erase(list.begin() + c.rng.below(static_cast<uint32_t>(list.size())));
  return true;
}

}  // namespace heddle::mutator
