// Replaces one element by a Rel1 neighbour: the operation just before or after it in its thread.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool substitute(Context& c) {
  if (!c.run) return false;
  const int id = pick_chain(c, 1);
  if (id < 0) return false;
  Chain chain = get_chain(c.schedule, id);
  if (chain.size() > c.options.max_chain) return false;
  Element& element = chain[c.rng.below(static_cast<uint32_t>(chain.size()))];
  const uint32_t event = c.run->find(element);
  if (event == kNone) return false;
  uint32_t other = c.run->next_in_thread(event);
  const uint32_t previous = c.run->previous_in_thread(event);
  if (other == kNone || (previous != kNone && c.rng.chance(1, 2))) other = previous;
  if (other == kNone) return false;
  const Element replacement = c.run->exact(other);
  if (contains(chain, replacement)) return false;
  element = replacement;
  return valid_chain(c.run, chain) && put_chain(c.schedule, id, chain);
}

}  // namespace heddle::mutator
