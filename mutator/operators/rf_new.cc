// A positive reads-from constraint for a pair that no run has had yet. The parent's run must have had both sides of it.
#include "mutator/operators/rf_list.h"

namespace heddle::mutator {

bool rf_new(Context& c) {
  if (c.sources == nullptr || !c.run || c.run->shared().empty()) return false;
  uint32_t read = kNone, write = kNone, least = 8;
  const int draws = c.sources->settled() ? 2 : 8;
  for (int draw = 0; draw < draws; ++draw) {
    const uint32_t r = c.run->draw_shared(c.rng);
    if (!reads_value(c.run->event(r).kind)) continue;
    const uint32_t w = c.run->partner(r, c.rng);
    if (w == kNone || !writes_value(c.run->event(w).kind) || c.sources->known(c.run->event(r), c.run->event(w))) continue;
    if (c.run->must_precede(r, w)) continue;
    const uint32_t tried = c.seen.count(SeenCounts::pair_key(c.run->event(r).site, c.run->event(w).site));
    if (tried >= least) continue;
    least = tried;
    read = r;
    write = w;
  }
  if (read == kNone) return false;
  c.seen.add(SeenCounts::pair_key(c.run->event(read).site, c.run->event(write).site));
  ReadsFrom rf{};
  rf.read = c.run->open(read);
  rf.write = c.run->open(write);
  rf.shield = c.rng.chance(1, 4) ? 1 : 0;
  return add_reads_from(c, rf);
}

}  // namespace heddle::mutator
