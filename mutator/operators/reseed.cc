// Draws everything again that the schedule leaves open.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool reseed(Context& c) {
  c.schedule.seed = c.rng.next();
  return true;
}

}  // namespace heddle::mutator
