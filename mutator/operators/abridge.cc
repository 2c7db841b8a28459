// {a,...,z} -> {b,...,z} or {a,...,y}. A chain of two is removed: one element gives no order.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool abridge(Context& c) {
  const int id = pick_chain(c, 2);
  if (id < 0) return false;
  Chain chain = get_chain(c.schedule, id);
  if (chain.size() == 2) return put_chain(c.schedule, id, {});
  if (c.rng.chance(1, 2)) {
    chain.erase(chain.begin());
  } else {
    chain.pop_back();
  }
  return put_chain(c.schedule, id, chain);
}

}  // namespace heddle::mutator
