#include "graph/admissible.h"

#include "graph/atomicity.h"
#include "graph/coherence_bound.h"
#include "graph/psc.h"
#include "graph/seq_cst_views.h"

namespace heddle::rt::graph {
namespace {

uint32_t floor_of(const Location& x, const Step& step, const SeqCstViews* views, MemoryOrder order) {
  const uint32_t coherence = coherence_floor(x, *step.past, step.thread);
  if (views == nullptr || !views->any()) return coherence;
  const uint32_t sc = views->floor(x, *step.past, step.thread, order == MemoryOrder::seq_cst);
  return sc > coherence ? sc : coherence;
}

// Without SC, or with SC by views.
Candidates bounded_below(const Location& x, const Step& step, const SeqCstViews* views, uint32_t* room) {
  const uint32_t newest = x.newest();
  const uint32_t floor = floor_of(x, step, views, step.order);
  uint32_t n = 0;
  switch (step.act) {
    case Act::load: return {newest - floor + 1, newest, nullptr};
    case Act::store:
      for (uint32_t p = newest + 1; p > floor; --p) {
        if (may_be_inserted(x, p)) room[n++] = p;
      }
      break;
    case Act::update:
      for (uint32_t p = newest + 1; p-- > floor;) {
        if (may_be_updated(x.at(p))) room[n++] = p;
      }
      break;
    case Act::compare: {
      const bool same = (step.order == MemoryOrder::seq_cst) == (step.failure_order == MemoryOrder::seq_cst);
      const uint32_t fails_from = same ? floor : floor_of(x, step, views, step.failure_order);
      const uint32_t lowest = fails_from < floor ? fails_from : floor;
      for (uint32_t p = newest + 1; p-- > lowest;) {
        const bool stores = x.at(p).value == step.expected;
        if (stores ? p >= floor && may_be_updated(x.at(p)) : p >= fails_from) room[n++] = p;
      }
      break;
    }
  }
  return {n, room[0], room};
}

// May the step take this position, as far as psc goes? A compare-and-swap that fails there is a load.
bool keeps_sc(const Location& x, Step step, const Psc& psc, uint32_t position) {
  MemoryOrder order = step.order;
  if (step.act == Act::compare) {
    const bool stores = x.at(position).value == step.expected;
    step.act = stores ? Act::update : Act::load;
    if (!stores) order = step.failure_order;
  }
  const bool acquires = step.act != Act::store && acquiring(order);
  return psc.admits(x, step, order == MemoryOrder::seq_cst, position, acquires ? &x.at(position).view : nullptr);
}

}  // namespace

Candidates admissible(const Location& x, const Step& step, const Psc& psc, const SeqCstViews& views, uint32_t* room) {
  if (x.strong) return {1, x.newest() + (step.act == Act::store), nullptr};
  if (!psc.exact()) return bounded_below(x, step, &views, room);
  const Candidates all = bounded_below(x, step, nullptr, room);
  if (all.count == 1 || !psc.any()) return all;
  // The newest one never makes a cycle, and does not need the question.
  uint32_t n = 0;
  for (uint32_t k = 0; k < all.count; ++k) {
    const uint32_t position = all[k];
    if (k == 0 || keeps_sc(x, step, psc, position)) room[n++] = position;
  }
  return {n, room[0], room};
}

}  // namespace heddle::rt::graph
