// The pattern of an atomicity violation: one thread between two steps of another. x1 and x2 are operations of one thread on shared objects.
// y1..yk are neighbouring operations of a second thread, at least one of which conflicts: <x1, y1, ..., yk, x2>. The threads are mostly
// left open, so that any thread can take either role.
#include <algorithm>

#include "mutator/operators/chain.h"

namespace heddle::mutator {

namespace {

uint32_t next_shared(const Relations& run, uint32_t e) {
  for (e = run.next_in_thread(e); e != kNone; e = run.next_in_thread(e)) {
    if (run.is_shared(e)) return e;
  }
  return kNone;
}

}  // namespace

bool interleave(Context& c) {
  if (!c.run || c.run->shared().empty()) return false;
  const Relations& run = *c.run;
  // Plain accesses first: they are visible because they raced. Then rare pairs of sites first.
  uint32_t x1 = kNone, x2 = kNone, y = kNone, best = 1000;
  for (int draw = 0; draw < 4; ++draw) {
    const uint32_t a = run.draw_shared(c.rng);
    uint32_t b = next_shared(run, a);
    while (b != kNone && c.rng.chance(1, 3)) {
      const uint32_t further = next_shared(run, b);
      if (further == kNone) break;
      b = further;
    }
    if (b == kNone) continue;
    const uint32_t p = run.partner(c.rng.chance(1, 2) ? a : b, c.rng);
    if (p == kNone || run.event(p).thread == run.event(a).thread) continue;
    if (run.must_precede(p, a) || run.must_precede(b, p)) continue;
    uint32_t tried = 2u + c.seen.count(SeenCounts::pair_key(run.event(a).site, run.event(p).site) + run.event(b).site);
    if (kind_info(run.event(p).kind).has(kPlain)) tried /= 2;
    // Two threads with different roles before two threads that do the same, if there are any.
    const SiteId site = run.event(p).site;
    if (site == run.event(a).site || site == run.event(b).site) tried += 2;
    if (tried < best) best = tried, x1 = a, x2 = b, y = p;
  }
  if (y == kNone) return false;
  c.seen.add(SeenCounts::pair_key(run.event(x1).site, run.event(y).site) + run.event(x2).site);

  // y with some of its thread's neighbouring shared operations. Half of the time with all of them, because a late operation of the inner
  // thread must also come before x2.
  const uint32_t most = c.rng.chance(1, 2) ? 6 : 1 + c.rng.below(4);
  uint32_t first = y;
  uint32_t count = 1;
  while (count < most && (most == 6 || c.rng.chance(3, 4))) {
    const uint32_t previous = run.previous_in_thread(first);
    if (previous == kNone || !run.is_shared(previous) || run.must_precede(previous, x1)) break;
    first = previous;
    ++count;
  }
  std::vector<uint32_t> events;
  events.reserve(c.options.max_chain + 1);
  events.push_back(x1);
  uint32_t at = first;
  while (at != kNone && events.size() <= std::max(most, count) && events.size() + 1 < c.options.max_chain) {
    events.push_back(at);
    if (at == y && most < 6 && c.rng.chance(1, 2)) break;
    at = next_shared(run, at);
  }
  events.push_back(x2);
  if (!valid_order(run, events)) return false;
  Chain chain(events.size());
  std::transform(events.begin(), events.end(), chain.begin(), [&run](uint32_t e) { return run.exact(e); });
  // If several threads do the same, holding only one of them prevents nothing.
  const auto several_pass = [&run](uint32_t x) {
    const Event& here = run.event(x);
    const auto same = run.on_object(here.object);
    return std::any_of(same.begin(), same.end(), [&](uint32_t e) {
      return run.event(e).site == here.site && run.event(e).thread != here.thread;
    });
  };
  const bool crowd = several_pass(x1) || several_pass(y);
  if (crowd ? !c.rng.chance(1, 8) : c.rng.chance(1, 2)) {
    const bool variables = c.rng.chance(1, crowd ? 8 : 4);
    for (size_t i = 0; i < chain.size(); ++i) {
      const bool outer = i == 0 || i + 1 == chain.size();
      chain[i].thread = kAnyThread;
      chain[i].occurrence = 0;
      chain[i].thread_var = variables ? (outer ? 1 : 2) : 0;
    }
  }
  return add_chain(c, chain);
}

}  // namespace heddle::mutator
