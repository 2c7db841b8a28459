// Swaps two neighbours, unless program order forbids it.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool flip(Context& c) {
  const int id = pick_chain(c, 2);
  if (id < 0) return false;
  Chain chain = get_chain(c.schedule, id);
  const size_t at = c.rng.below(static_cast<uint32_t>(chain.size()) - 1);
  std::swap(chain[at], chain[at + 1]);
  return valid_chain(c.run, chain) && put_chain(c.schedule, id, chain);
}

}  // namespace heddle::mutator
