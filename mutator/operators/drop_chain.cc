// Removes a whole chain.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool drop_chain(Context& c) {
  const int id = pick_chain(c, 1);
  return id >= 0 && put_chain(c.schedule, id, {});
}

}  // namespace heddle::mutator
