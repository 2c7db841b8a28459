// Opens a field: occurrences, or threads (with or without a variable for equal threads). Then a chain matches any thread that comes, and
// does not depend on the number of threads.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool generalise(Context& c) {
  const int id = pick_chain(c, 1);
  if (id < 0) return false;
  Chain chain = get_chain(c.schedule, id);
  bool changed = false;
  if (c.rng.chance(1, 3)) {
    for (Element& e : chain) {
      if (e.occurrence != 0 && (c.rng.chance(1, 2) || !changed)) e.occurrence = 0, changed = true;
    }
  } else {
    const bool variables = c.rng.chance(1, 3);
    ThreadId names[256];
    uint32_t used = 0;
    for (Element& e : chain) {
      if (e.thread == kAnyThread) continue;
      uint32_t v = 0;
      while (v < used && names[v] != e.thread) ++v;
      if (v == used && used < 255) names[used++] = e.thread;
      e.thread = kAnyThread;
      e.object = kAnyObject;
      e.occurrence = 0;
      e.thread_var = variables ? static_cast<uint8_t>(v + 1) : 0;
      changed = true;
    }
  }
  return changed && put_chain(c.schedule, id, chain);
}

}  // namespace heddle::mutator
