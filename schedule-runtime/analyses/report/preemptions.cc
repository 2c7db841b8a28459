#include "analyses/report/preemptions.h"

#include "base/reserved_array.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

// The thread gave way by itself: it ended, yielded, or the operation that it did next had to wait for another thread.
bool gives_way(const Event& e) { return e.kind == Kind::thread_exit || kind_info(e.kind).has(kYields); }
bool waits(const Event& next) {
  if (!next.finished()) return kind_info(next.kind).has(kBlocks);
  return (next.flags & kEventContended) != 0 || next.kind == Kind::cond_wake || kind_info(next.kind).has(kYields);
}

// The lock that an event takes or releases; 0: none.
uint32_t lock_of(const Event& e) {
  if (e.kind == Kind::cond_wait) return e.choice;  // a wait releases its mutex
  if (!e.finished() || in_vain(e.outcome)) return 0;
  return kind_info(e.kind).has(kHoldsLock) || kind_info(e.kind).has(kDropsLock) ? e.object : 0;
}
bool frees_lock(const Event& e) { return e.kind == Kind::cond_wait || kind_info(e.kind).has(kDropsLock); }

// Which locks are free after an event, for a walk from the last event of a run to its first. A long run has millions of them, so each step
// takes the same time.
class Locks {
 public:
  explicit Locks(const RunSummary& run) : run_(run) {
    before_.reserve(Recorder::kMaxEvents);
    latest_.reserve(Recorder::kMaxObjects);
    for (uint32_t o = 0; o < run.object_count; ++o) latest_[o] = kNoEvent;
    for (uint32_t i = 0; i < run.event_count; ++i) {
      const uint32_t lock = known_lock(i);
      if (lock == 0) continue;
      before_[i] = latest_[lock];
      latest_[lock] = i;
    }
  }
  bool free(uint32_t lock) const { return lock >= run_.object_count || latest_[lock] == kNoEvent || frees_lock(run_.events[latest_[lock]]); }
  void step_back_over(uint32_t event) {
    if (const uint32_t lock = known_lock(event); lock != 0) latest_[lock] = before_[event];
  }

 private:
  uint32_t known_lock(uint32_t event) const {
    const uint32_t lock = lock_of(run_.events[event]);
    return lock < run_.object_count ? lock : 0;
  }

  const RunSummary& run_;
  static constinit ReservedArray<uint32_t> before_;  // by event: the one before it on the same lock
  static constinit ReservedArray<uint32_t> latest_;  // by object: its latest event so far
};
constinit ReservedArray<uint32_t> Locks::before_, Locks::latest_;

}  // namespace

uint32_t preemptions(const RunSummary& run) {
  static constinit ReservedArray<uint32_t> next;  // by thread: its next event
  next.reserve(Recorder::kMaxThreads);
  for (uint32_t t = 0; t < run.thread_count; ++t) next[t] = kNoEvent;
  Locks locks(run);
  uint32_t count = 0;
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread < run.thread_count) {
      const bool switches = e.finished() && i + 1 < run.event_count && run.events[i + 1].finished() && run.events[i + 1].thread != e.thread;
      const Event* const then = next[e.thread] != kNoEvent ? &run.events[next[e.thread]] : nullptr;
      // It had to wait, unless the lock that it wanted was still free when the run switched away from it.
      const bool had_to_wait = then != nullptr && waits(*then) && !(kind_info(then->kind).has(kHoldsLock) && locks.free(then->object));
      if (switches && !gives_way(e) && !had_to_wait) ++count;
      next[e.thread] = i;
    }
    locks.step_back_over(i);
  }
  return count;
}

}  // namespace heddle::rt
