// FastTrack (Flanagan and Freund, PLDI 2009) on one cell, with atomic operations as a third kind of access beside plain reads and writes.
//
// Two accesses conflict if one of them writes and one of them is plain. An access can be forgotten if all that races with it also races with a
// later one:
//   everything before a plain write that is ordered after it, because the write conflicts with every later access;
//   a plain read before a later plain read of any thread;
//   an atomic operation before a later one that writes, or if both only read.
// A plain read is kept beyond atomic writes, and these beyond plain reads: each conflicts with accesses with which the other does not.
#pragma once

#include "order/clock_rules.h"
#include "races/access_set.h"
#include "races/shadow.h"

namespace heddle::rt {

class FastTrack {
 public:
  // Each racing pair as it is met; `now` is the access of the present thread.
  using Race = void (*)(uint64_t first, uint64_t now, uintptr_t address);

  // What a thread has learned by plain reads: something that another one wrote after it had begun.
  struct Reader {
    uint32_t parent;    // its creator,
    uint32_t begin;     // and the creator's first epoch after that
    uint32_t heard_at;  // the number of events before the latest such read; 0: none
  };

  // `events` counts this execution's.
  void initialise(Race race, const uint32_t& events) {
    race_ = race;
    events_ = &events;
    sets.initialise();
  }
  // The thread whose accesses come next, and its clock, which may move under way.
  void run(uint32_t thread, const order::VectorClock& clock, Reader& reader) {
    thread_ = thread;
    clock_ = &clock;
    reader_ = &reader;
  }

  // What plain_read and plain_write come to where nobody but the thread of `now` has accessed the bytes, and only plainly: nothing can race.
  [[gnu::always_inline]] static bool own(Cell& c, bool write, uint64_t now) {
    if (c.atomic != 0 || !nobody_elses(c.write, now) || !nobody_elses(c.read, now)) return false;
    (write ? c.write : c.read) = now;
    return true;
  }

  void plain_read(Cell& c, uintptr_t address, uint64_t now) {
    if (c.write != 0 && Access::thread(c.write) != thread_) hear(c.write, address, now);
    if (__builtin_expect(c.atomic != 0, 0)) check_atomic_writes(c, address, now);
    if (__builtin_expect(c.read != 0 && (AccessSets::is_set(c.read) || !in_past(c.read)), 0)) return add(c.read, now);
    c.read = now;
  }

  void plain_write(Cell& c, uintptr_t address, uint64_t now) {
    if (c.write != 0 && !in_past(c.write)) race_(c.write, now, address);
    if (c.read != 0 && (AccessSets::is_set(c.read) || Access::thread(c.read) != thread_)) {
      check_all(c.read, address, now);
      c.read = 0;
    }
    // A read of its own stays: it names one more site of this variable.
    if (__builtin_expect(c.atomic != 0, 0)) {
      check_all(c.atomic, address, now);
      c.atomic = 0;
    }
    c.write = now;
  }

  [[gnu::always_inline]] void atomic(Cell& c, uintptr_t address, uint64_t now) {
    // Whatever plain access came in between has met it then.
    if (Access::same_epoch(c.atomic, now) && (Access::writes(c.atomic) || !Access::writes(now))) return;
    if (c.write != 0 && !in_past(c.write)) race_(c.write, now, address);
    if (Access::writes(now) && c.read != 0) check_all(c.read, address, now);
    if (c.atomic == 0 || (!AccessSets::is_set(c.atomic) && in_past(c.atomic) && (Access::writes(now) || !Access::writes(c.atomic)))) {
      c.atomic = now;
    } else {
      add(c.atomic, now);
    }
  }

  // Two histories from now on.
  Cell copy(const Cell& c);

  AccessSets sets;

 private:
  static bool nobody_elses(uint64_t a, uint64_t now) { return a == 0 || (Access::thread(a) == Access::thread(now) && !AccessSets::is_set(a)); }
  bool in_past(uint64_t a) const {
    const uint32_t thread = Access::thread(a);
    return thread == thread_ || clock_->covers(thread, Access::clock(a));
  }
  void hear(uint64_t write, uintptr_t address, uint64_t now) {
    if (!in_past(write)) race_(write, now, address);
    if (Access::thread(write) != reader_->parent || Access::clock(write) >= reader_->begin) reader_->heard_at = *events_;
  }
  bool sets_full() const;
  // One access, or a set, gets one more.
  void add(uint64_t& of, uint64_t now);
  void check_all(uint64_t earlier, uintptr_t address, uint64_t now);
  void check_atomic_writes(const Cell& c, uintptr_t address, uint64_t now);
  template <typename Wanted>
  void check(uint64_t earlier, uintptr_t address, uint64_t now, Wanted wanted);

  uint32_t thread_ = order::kNoThread;
  const order::VectorClock* clock_ = nullptr;
  Reader* reader_ = nullptr;
  const uint32_t* events_ = nullptr;
  Race race_ = nullptr;
};

}  // namespace heddle::rt
