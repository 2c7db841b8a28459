#include "mutator/knowledge/select_partners.h"

#include <algorithm>

namespace heddle::mutator {

namespace {
// Operations looked at on either side of the select in its channel's history: what is far away is hardly ever
// concurrent, and a loop over one channel would make all this quadratic.
constexpr size_t kNear = 64;

bool is(const SelectCase& c, CaseDirection d) { return c.direction == static_cast<uint8_t>(d); }
}  // namespace

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
  const auto history = run_.on_object(c.object);
  const auto at = static_cast<size_t>(std::lower_bound(history.begin(), history.end(), c.event) - history.begin());
  const size_t end = std::min(history.size(), at + kNear + 1);
  for (size_t i = at > kNear ? at - kNear : 0; i < end; ++i) {
    if (could_meet(c, history[i], ops_.op(history[i]))) return true;
  }
  // Selects that never finished wait for all their cases; the history has them under one channel only, and without a direction.
  for (uint32_t waiting : ops_.unfinished_selects()) {
    for (const SelectCase& other : ops_.cases(waiting)) {
      if (other.object != c.object) continue;
      if (could_meet(c, waiting, is(other, CaseDirection::send) ? ChannelOp::send : ChannelOp::receive)) return true;
    }
  }
  return false;
}

uint32_t SelectPartners::count_others(uint32_t select) const {
  const Event& e = run_.event(select);
  uint32_t n = 0;
  for (const SelectCase& c : ops_.cases(select)) {
    const uint32_t choice = is(c, CaseDirection::otherwise) ? kDefaultChoice : c.index;
    n += !(e.finished() && e.choice == choice) && possible(c);
  }
  return n;
}

}  // namespace heddle::mutator
