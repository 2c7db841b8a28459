// FastTrack (Flanagan and Freund, PLDI 2009) on one cell, with atomic operations as a third kind of access beside plain reads and writes.
//
// Two accesses conflict if at least one of them writes and at least one is plain. An access can be forgotten if each access that races with
// it also races with a later one:
//   everything before a plain write that is ordered after it, because the write conflicts with every later access;
//   a plain read before a later plain read of any thread;
//   an atomic operation before a later one that writes, or if both only read.
// A plain read is kept after atomic writes, and atomic writes are kept after plain reads: each conflicts with accesses that the other does
// not conflict with.
#pragma once

#include "order/clock_rules.h"
#include "races/access_set.h"
#include "races/shadow.h"

namespace heddle::rt {

class FastTrack {
 public:
  // Called for each racing pair when it is found. `now` is the access of the running thread.
  using Race = void (*)(uint64_t first, uint64_t now, uintptr_t address);

  // When a thread last read, with a plain read, something that a thread in another lane wrote after this thread had begun.
  struct Reader {
    uint32_t parent;    // its creator's lane,
    uint32_t begin;     // and the creator's first epoch after the creation
    uint32_t heard_at;  // the number of events before the latest such read; 0: none
  };

  // `events` is the number of events of this execution.
  void initialise(Race race, const uint32_t& events) {
    race_ = race;
    events_ = &events;
    sets.initialise();
  }
  // The lane of the thread whose accesses come next, and its clock. The clock may change in between.
  void run(uint32_t lane, const order::VectorClock& clock, Reader& reader) {
    lane_ = lane;
    clock_ = &clock;
    reader_ = &reader;
  }

  // Only the thread of `now` has accessed the bytes, and only with plain accesses.
  [[gnu::always_inline]] static bool of_one(const Cell& c, uint64_t now) {
    return c.atomic == 0 && nobody_elses(c.write, now) && nobody_elses(c.read, now);
  }
  // The fast path of plain_read and plain_write: nothing can race.
  [[gnu::always_inline]] static bool own(Cell& c, bool write, uint64_t now) {
    if (!of_one(c, now)) return false;
    (write ? c.write : c.read) = now;
    return true;
  }

  void plain_read(Cell& c, uintptr_t address, uint64_t now) {
    if (c.write != 0 && Access::lane(c.write) != lane_) hear(c.write, address, now);
    if (__builtin_expect(c.atomic != 0, 0)) check_atomic_writes(c, address, now);
    if (__builtin_expect(c.read != 0 && (AccessSets::is_set(c.read) || !in_past(c.read)), 0)) return add(c.read, now);
    c.read = now;
  }

  void plain_write(Cell& c, uintptr_t address, uint64_t now) {
    if (c.write != 0 && !in_past(c.write)) race_(c.write, now, address);
    if (c.read != 0 && (AccessSets::is_set(c.read) || Access::lane(c.read) != lane_)) {
      check_all(c.read, address, now);
      c.read = 0;
    }
    // The thread's own read stays: it is one more site of this variable.
    if (__builtin_expect(c.atomic != 0, 0)) {
      check_all(c.atomic, address, now);
      c.atomic = 0;
    }
    c.write = now;
  }

  [[gnu::always_inline]] void atomic(Cell& c, uintptr_t address, uint64_t now) {
    // Any plain access in between has already been checked against that atomic operation.
    if (Access::same_epoch(c.atomic, now) && (Access::writes(c.atomic) || !Access::writes(now))) return;
    if (c.write != 0 && !in_past(c.write)) race_(c.write, now, address);
    if (Access::writes(now) && c.read != 0) check_all(c.read, address, now);
    if (c.atomic == 0 || (!AccessSets::is_set(c.atomic) && in_past(c.atomic) && (Access::writes(now) || !Access::writes(c.atomic)))) {
      c.atomic = now;
    } else {
      add(c.atomic, now);
    }
  }

  // Copies the history, because the bytes have separate histories from now on.
  Cell copy(const Cell& c);

  AccessSets sets;

 private:
  static bool nobody_elses(uint64_t a, uint64_t now) { return a == 0 || (Access::lane(a) == Access::lane(now) && !AccessSets::is_set(a)); }
  bool in_past(uint64_t a) const {
    const uint32_t lane = Access::lane(a);
    return lane == lane_ || clock_->covers(lane, Access::clock(a));
  }
  void hear(uint64_t write, uintptr_t address, uint64_t now) {
    if (!in_past(write)) race_(write, now, address);
    if (Access::lane(write) != reader_->parent || Access::clock(write) >= reader_->begin) reader_->heard_at = *events_;
  }
  bool sets_full() const;
  // Adds an access to one access, or to a set.
  void add(uint64_t& of, uint64_t now);
  void check_all(uint64_t earlier, uintptr_t address, uint64_t now);
  void check_atomic_writes(const Cell& c, uintptr_t address, uint64_t now);
  template <typename Wanted>
  void check(uint64_t earlier, uintptr_t address, uint64_t now, Wanted wanted);

  uint32_t lane_ = order::kNoThread;
  const order::VectorClock* clock_ = nullptr;
  Reader* reader_ = nullptr;
  const uint32_t* events_ = nullptr;
  Race race_ = nullptr;
};

}  // namespace heddle::rt
