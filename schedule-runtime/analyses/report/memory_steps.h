// The accesses to memory of a run, in their order: recorded operations, and plain accesses of the log (races/access_log.h).
#pragma once

#include <cstdint>

#include "races/access_log.h"
#include "schema/event.h"

namespace heddle::rt {

inline constexpr uint32_t kNoStep = ~0u;
// So many steps before the end are looked at for what explains a failure.
inline constexpr uint32_t kReach = 4096;

struct MemoryStep {
  uint32_t event;              // kNoEvent: it is a plain access
  const LoggedAccess* access;  // null: it is an event
  uint32_t thread;
  uint32_t handler;            // the run of a signal handler that has interrupted the thread; 0: none
  uint32_t before;             // so many events came before it
  uintptr_t begin, end;        // its bytes
  bool reads, writes;
  bool inside;                 // an atomic operation inside a primitive of the standard library

  // A handler counts as another one than the thread that it interrupts.
  bool same_actor(const MemoryStep& other) const { return thread == other.thread && handler == other.handler; }
  bool overlaps(const MemoryStep& other) const { return begin < other.end && other.begin < end; }
};

class MemorySteps {
 public:
  // There is only one at a time. Until the moment of the failure there were so many events, and so many accesses of the log.
  // Plain accesses are there while a thread of the program runs, and at the end of its run if `ended`.
  MemorySteps(const RunSummary& run, uint32_t events, size_t accesses, bool ended = false);

  uint32_t size() const;
  // The number of those before the failure.
  uint32_t end() const { return end_; }
  const MemoryStep& operator[](uint32_t i) const;
  // The write that the read saw; kNoStep: none in this run, or not known (also: of code that is not instrumented).
  uint32_t source(uint32_t read) const;
  // The value that the read saw was there before its thread began, from the thread that began it or one before that. So it is as good as an initial
  // value. (Such are all references that a thread's function captures.)
  bool before_birth(uint32_t read, uint32_t source) const;
  // The same, and nobody has written there since. No order of the operations decides about such a value: it says nothing of a failure.
  bool given(uint32_t read, uint32_t source) const;
  // A read that can be a decision: of an atomic, or of a variable by the user's code itself, and not of what a container of the standard library
  // consists of. An address is the way to data.
  bool may_decide(uint32_t step) const;
  // The first write of another actor to these bytes after this step; kNoStep: none.
  uint32_t overwritten(uint32_t step) const;
  // Another actor has written these bytes between the two.
  bool written_between(uint32_t from, uint32_t to) const;
  // A compare-and-swap that succeeded because it found the value again that the actor had read, but from another write (ABA). What it
  // has read elsewhere in between may no longer be true. (For a lock nothing is read in between, and the value is as good as before.)
  bool same_again(uint32_t read, uint32_t cas) const;
  // The actor's latest access to these bytes before this one, and not before `from`; kNoStep: none.
  uint32_t own_before(uint32_t step, uint32_t from = 0) const;
  // The actor's next access to these bytes; kNoStep: none.
  uint32_t own_after(uint32_t step) const;
  // It writes, and does not look at what was there.
  bool is_blind(uint32_t step) const;
  // The place of the step: a site of the program, as in a row.
  uint32_t place(uint32_t step) const;

 private:
  void end_here();
  void add_event(uint32_t event);
  void add_access(size_t number);  // in the log

  const RunSummary& run_;
  uint32_t end_;
};

}  // namespace heddle::rt
