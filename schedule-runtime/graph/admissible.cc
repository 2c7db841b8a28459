#include "graph/admissible.h"

#include "graph/atomicity.h"
#include "graph/coherence_bound.h"
#include "graph/seq_cst_views.h"

namespace heddle::rt::graph {
namespace {

uint32_t floor_of(const Location& x, const Step& step, const SeqCstViews& views, MemoryOrder order) {
  const uint32_t coherence = coherence_floor(x, *step.past, step.thread);
  if (!views.any()) return coherence;
  const uint32_t sc = views.floor(x, *step.past, step.thread, order == MemoryOrder::seq_cst);
  return sc > coherence ? sc : coherence;
}

}  // namespace

Candidates admissible(const Location& x, const Step& step, const SeqCstViews& views, uint32_t* room) {
  const uint32_t newest = x.newest();
  if (x.strong) {
    const uint32_t only = newest + (step.act == Act::store);
    return {1, only, nullptr};
  }
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

}  // namespace heddle::rt::graph
