#include "mutator/knowledge/select_partners.h"

#include <algorithm>

namespace heddle::mutator {

namespace {
// How many operations before and after the select are examined in its channel's history. Distant operations are hardly ever concurrent, and
// without a limit the cost of a loop over one channel would be quadratic.
constexpr size_t kNear = 64;

bool is(const SelectCase& c, CaseDirection d) { return c.direction == static_cast<uint8_t>(d); }
}  // namespace

std::span<const uint32_t> SelectPartners::nearby(uint32_t object, uint32_t event) const {
  const auto history = run_.on_object(object);
  const auto at = static_cast<size_t>(std::lower_bound(history.begin(), history.end(), event) - history.begin());
  const size_t begin = at > kNear ? at - kNear : 0;
  return history.subspan(begin, std::min(history.size(), at + kNear + 1) - begin);
}

bool SelectPartners::could_meet(const SelectCase& c, uint32_t candidate, ChannelOp op) const {
  if (candidate == c.event) return false;
  const order::RunOrder& strong = run_.order(order::Relation::strong);
  if (is(c, CaseDirection::send)) {
    if (op != ChannelOp::receive) return false;
    return strong.orderable(c.event, candidate) || (ops_.buffered(c.object) && strong.precedes(c.event, candidate));
  }
  if (op != ChannelOp::send && op != ChannelOp::close) return false;
  return strong.orderable(c.event, candidate) || (ops_.buffered(c.object) && strong.precedes(candidate, c.event));
}

bool SelectPartners::possible(const SelectCase& c) const {
  if (is(c, CaseDirection::otherwise)) return true;
  if (c.object == 0) return false;  // a nil channel
  const Event& select = run_.event(c.event);
  if (c.ready != 0 || (select.finished() && select.choice == c.index)) return true;
  for (uint32_t other : nearby(c.object, c.event)) {
    if (could_meet(c, other, ops_.op(other))) return true;
  }
  // Selects that never finished wait for all their cases. The history has each under one channel only, and without a direction.
  for (uint32_t waiting : ops_.unfinished_selects()) {
    for (const SelectCase& other : ops_.cases(waiting)) {
      if (other.object != c.object) continue;
      if (could_meet(c, waiting, is(other, CaseDirection::send) ? ChannelOp::send : ChannelOp::receive)) return true;
    }
  }
  return false;
}

bool SelectPartners::disturbed(uint32_t event) const {
  const Event& e = run_.event(event);
  if (e.object == 0) return true;  // nothing is known of it
  const order::RunOrder& strong = run_.order(order::Relation::strong);
  const auto near = nearby(e.object, event);
  return std::any_of(near.begin(), near.end(), [&](uint32_t other) {
    const KindInfo& kind = kind_info(run_.event(other).kind);
    const bool changes = kind.has(kWrites) || kind.has(kHoldsLock);  // readers keep a writer out
    return changes && run_.event(other).thread != e.thread && strong.orderable(event, other);
  });
}

}  // namespace heddle::mutator
