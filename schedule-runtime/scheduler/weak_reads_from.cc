// Reads-from constraints on atomics under a weak memory model. A read need not wait until the named write is the last one: the write must have
// been executed, and be admissible. So shields of positive constraints have no meaning here.
#include "scheduler/enforcement.h"

namespace heddle::rt {
namespace {

bool satisfies(const ReadsFrom& c, const graph::Store& s) { return matches(c.write, write_record(s.event)) != (c.negative != 0); }

}  // namespace

// Is there a store to read that the constraint allows?
bool ReadsFromConstraints::can_be_satisfied(const ReadsFrom& c, uint32_t object) {
  const graph::Location* const x = graph::execution_graph().find(object);
  if (x == nullptr) return (c.write.site == kNoSite) != (c.negative != 0);  // only the initial value
  for (uint32_t p = x->newest() + 1; p-- > x->floor();) {
    if (satisfies(c, x->at(p))) return true;
  }
  return false;
}

Verdict ReadsFromConstraints::weak_verdict(const Pending& p, Pending* const* all, uint32_t count) {
  Verdict result = Verdict::neutral;
  if (p.object_index == 0) return result;
  for (size_t i = 0; i < schedule_.reads_from.size(); ++i) {
    if (done_[i]) continue;
    const ReadsFrom& c = schedule_.reads_from[i];
    if (matches(c.read, p)) {
      if (!can_be_satisfied(c, p.object_index)) return Verdict::held;
      if (!c.negative) result = Verdict::favoured;
      continue;
    }
    if (!p.writes()) continue;
    const bool is_write = matches(c.write, p);
    if (c.negative != 0 && c.shield != 0 && is_write) return Verdict::held;
    if (c.negative == static_cast<uint8_t>(is_write) || !read_is_pending(i, p.object_index, all, count)) continue;
    if (!can_be_satisfied(c, p.object_index)) result = Verdict::favoured;  // the read waits for this store
  }
  return result;
}

void ReadsFromConstraints::weak_executed(const Pending& p, uint32_t partner) {
  if (p.object_index == 0) return;
  for (size_t i = 0; i < schedule_.reads_from.size(); ++i) {
    if (done_[i] || !matches(schedule_.reads_from[i].read, p)) continue;
    judge(i, matches(schedule_.reads_from[i].write, write_record(partner)));
  }
}

bool ReadsFromConstraints::weak_release(const Pending& p) {
  bool released = false;
  for (size_t i = 0; i < schedule_.reads_from.size(); ++i) {
    if (done_[i]) continue;
    const ReadsFrom& c = schedule_.reads_from[i];
    const bool holds_read = matches(c.read, p) && !can_be_satisfied(c, p.object_index);
    const bool holds_write = p.writes() && c.negative != 0 && c.shield != 0 && matches(c.write, p);
    if (!holds_read && !holds_write) continue;
    done_[i] = true;
    --live_;
    released = true;
  }
  return released;
}

// The first constraint that some candidate satisfies decides.
uint32_t ReadsFromConstraints::choose(const Pending& p, const graph::Location& x, const graph::Candidates& candidates) const {
  if (p.kind == Kind::atomic_store) return candidates.count;
  for (size_t i = 0; i < schedule_.reads_from.size(); ++i) {
    if (done_[i] || !matches(schedule_.reads_from[i].read, p)) continue;
    for (uint32_t k = 0; k < candidates.count; ++k) {
      if (satisfies(schedule_.reads_from[i], x.at(candidates[k]))) return k;
    }
  }
  return candidates.count;
}

}  // namespace heddle::rt
