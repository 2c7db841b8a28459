// The inverse: an open element becomes one operation that the parent's run really did.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool make_exact(Context& c) {
  if (!c.run) return false;
  const int id = pick_chain(c, 1);
  if (id < 0) return false;
  Chain chain = get_chain(c.schedule, id);
  bool changed = false;
  for (Element& e : chain) {
    if (e.thread != kAnyThread && e.occurrence != 0) continue;
    const uint32_t event = c.run->find_any(e);
    if (event == kNone) continue;
    const Element exact = c.run->exact(event);
    if (contains(chain, exact)) continue;
    e = exact;
    changed = true;
  }
  return changed && valid_chain(c.run, chain) && put_chain(c.schedule, id, chain);
}

}  // namespace heddle::mutator
