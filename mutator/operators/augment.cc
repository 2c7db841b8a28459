// Appends a Rel2 partner of the tail (of the current chain, not of the one at the beginning of the mutation). With probability 1/4, a
// partner of one of its Rel1 neighbours (rule 3, applied once).
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool augment(Context& c) {
  if (!c.run) return false;
  const int id = pick_chain(c, 1);
  if (id < 0) return false;
  Chain chain = get_chain(c.schedule, id);
  if (chain.size() >= c.options.max_chain) return false;
  const uint32_t tail = c.run->find_any(chain.back());
  if (tail == kNone) return false;
  uint32_t from = tail;
  if (c.rng.chance(1, 4)) {
    from = c.rng.chance(1, 2) ? c.run->next_in_thread(tail) : c.run->previous_in_thread(tail);
    if (from == kNone) from = tail;
  }
  const uint32_t other = c.run->partner(from, c.rng);
  if (other == kNone || c.run->event(other).thread == c.run->event(tail).thread) return false;
  const bool open = chain.back().thread == kAnyThread;
  const Element element = open ? c.run->open(other) : c.run->exact(other);
  if (!open && contains(chain, element)) return false;
  chain.push_back(element);
  return valid_chain(c.run, chain) && put_chain(c.schedule, id, chain);
}

}  // namespace heddle::mutator
