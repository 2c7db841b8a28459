// Reads-from constraints as automata (RFF, docs/design/strategies.md#reads-from-constraints). A positive constraint holds the read back
// until the last write is the named one. A negative constraint holds the read while the last write is the named one, and prefers operations
// that change that.
//
// The first matching read satisfies the constraint. If the read has to be released, the constraint is abandoned. A matched read without
// thread and occurrence means "any reader": in RFF, too, the number of threads does not matter.
#include "scheduler/enforcement.h"

namespace heddle::rt {
namespace {

bool is_write_of(const ReadsFrom& c, const Pending& p) { return p.writes() && matches(c.write, p); }

}  // namespace

bool ReadsFromConstraints::read_is_pending(size_t constraint, uint32_t object, Pending* const* all, uint32_t count) {
  Found& found = found_[constraint];
  if (found.choice == choice_ && found.object == object) return found.pending;
  const Element& read = schedule_.reads_from[constraint].read;
  found = {choice_, object, false};
  for (uint32_t i = 0; i < count && !found.pending; ++i) found.pending = all[i]->object_index == object && matches(read, *all[i]);
  return found.pending;
}

void ReadsFromConstraints::begin(const ScheduleView& schedule) {
  schedule_ = schedule;
  satisfied_ = 0;
  live_ = static_cast<uint32_t>(schedule.reads_from.size());
  for (uint32_t i = 0; i < live_; ++i) {
    done_[i] = false;
    shaped_[i] = 0;
  }
}

Verdict ReadsFromConstraints::verdict(const Pending& p, LastWrite last_write, Pending* const* all,
                                      uint32_t count) {
  Verdict result = Verdict::neutral;
  if (p.object_index == 0) return result;
  for (size_t i = 0; i < schedule_.reads_from.size(); ++i) {
    if (done_[i]) continue;
    const ReadsFrom& c = schedule_.reads_from[i];
    const bool last_is_write = matches(c.write, last_write(p.object_index));
    if (matches(c.read, p)) {
      const bool ready = c.negative ? !last_is_write : last_is_write;
      if (!ready) return Verdict::held;
      if (!c.negative) result = Verdict::favoured;
      continue;
    }
    if (!p.writes()) continue;
    const bool is_write = is_write_of(c, p);
    const bool waits = read_is_pending(i, p.object_index, all, count);
    if (c.negative) {
      if (is_write) {
        if (c.shield) return Verdict::held;
      } else if (last_is_write && waits) {
        result = Verdict::favoured;  // another write makes the read admissible
      }
    } else if (is_write) {
      if (waits && !last_is_write) result = Verdict::favoured;
    } else if (c.shield && last_is_write && (waits || c.write.site != kNoSite)) {
      return Verdict::held;  // no other write may come between the write and its read
    }
  }
  return result;
}

void ReadsFromConstraints::executed(const Pending& p, LastWrite last_write) {
  if (p.object_index == 0) return;
  for (size_t i = 0; i < schedule_.reads_from.size(); ++i) {
    if (done_[i]) continue;
    const ReadsFrom& c = schedule_.reads_from[i];
    if (!matches(c.read, p)) continue;
    judge(i, matches(c.write, last_write(p.object_index)));
  }
}

// A matching read has been executed.
void ReadsFromConstraints::judge(size_t i, bool from_write) {
  const bool negative = schedule_.reads_from[i].negative != 0;
  if (from_write != negative) ++satisfied_;
  // A negative constraint stays active for later reads, up to a limit. A positive one is done, satisfied or not.
  if (!negative || from_write || ++shaped_[i] == kMostShaped) {
    done_[i] = true;
    --live_;
  }
}

bool ReadsFromConstraints::release(const Pending& p, LastWrite last_write) {
  bool released = false;
  for (size_t i = 0; i < schedule_.reads_from.size(); ++i) {
    if (done_[i]) continue;
    const ReadsFrom& c = schedule_.reads_from[i];
    const bool last_is_write = matches(c.write, last_write(p.object_index));
    const bool holds_read = matches(c.read, p) && (c.negative ? last_is_write : !last_is_write);
    const bool holds_write = p.writes() && !matches(c.read, p) && c.shield &&
                             (c.negative ? is_write_of(c, p) : !is_write_of(c, p) && last_is_write);
    if (!holds_read && !holds_write) continue;
    done_[i] = true;
    --live_;
    released = true;
  }
  return released;
}

}  // namespace heddle::rt
