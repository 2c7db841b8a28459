// Adds a reads-from constraint (docs/design/strategies.md#reads-from-constraints): positive with probability 1/9, else negative. Elements
// are open: any reader of one site may take its value from any writer of another site, or the initial value.
#include "mutator/operators/chain.h"
#include "mutator/operators/rf_list.h"

namespace heddle::mutator {

namespace {

// A reader and a writer (kNoSite: the initial value), from the races or from the run.
bool draw_pair(Context& c, Element& read, Element& write) {
  if (!c.races.empty() && (!c.run || c.rng.chance(1, 2))) {
    const RacingPair& race = c.races[c.rng.below(static_cast<uint32_t>(c.races.size()))];
    const bool second_reads = !race.second_writes;
    if (race.first_writes && race.second_writes) return false;
    read.site = second_reads ? race.second : race.first;
    write.site = second_reads ? race.first : race.second;
    read.kind = second_reads ? second_kind(race) : first_kind(race);
    write.kind = second_reads ? first_kind(race) : second_kind(race);
    // A plain write turns the memory into a new object. So no atomic operation is recorded as reading from it.
    return reads_value(read.kind) && writes_value(write.kind) && (kind_info(read.kind).has(kPlain) || !kind_info(write.kind).has(kPlain));
  }
  if (!c.run || c.run->shared().empty()) return false;
  for (int draw = 0; draw < 6; ++draw) {
    const uint32_t r = c.run->draw_shared(c.rng);
    if (!reads_value(c.run->event(r).kind)) continue;
    const uint32_t w = c.run->partner(r, c.rng);
    if (w == kNone || !writes_value(c.run->event(w).kind)) continue;
    if (c.seen.count(SeenCounts::pair_key(c.run->event(r).site, c.run->event(w).site)) > 8 && draw < 3) continue;
    read = c.run->open(r);
    write = c.run->open(w);
    return true;
  }
  return false;
}

}  // namespace

bool rf_insert(Context& c) {
  if (c.schedule.reads_from.size() >= kMaxConstraints) return false;
  ReadsFrom rf{};
  if (!draw_pair(c, rf.read, rf.write)) return false;
  c.seen.add(SeenCounts::pair_key(rf.read.site, rf.write.site));
  if (c.rng.chance(1, 6)) rf.write = Element{};
  rf.negative = c.rng.chance(1, 9) ? 0 : 1;
  rf.shield = c.rng.chance(1, 4) ? 1 : 0;
  return add_reads_from(c, rf);
}

}  // namespace heddle::mutator
