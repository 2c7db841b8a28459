// What a thread is about to do: the candidate of a choice. Every live thread has one.
//
// Strategies and enforcement see nothing else, so that they know neither threads nor primitives.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

struct Thread;
struct Object;
struct Pending;

// May the op go now? Called by the engine whenever the op's object changed.
using MayGo = bool (*)(const Pending&);

inline constexpr uint64_t kNever = ~0ull;

struct Pending {
  // What a strategy may look at.
  uint64_t identity;    // hash of thread, kind, site and occurrence: the same in every process
  ThreadId thread;
  SiteId site;
  ObjectId object_id;   // 0: no object
  // Not in the order of Event's: copied as one they would have to wait for their parts to be written.
  uint32_t context;       // hash
  uint32_t thread_index;
  uint32_t occurrence;
  uint32_t object_index;  // 0: none
  Kind kind;
  MemoryOrder order;
  bool enabled;           // may_go held when last asked
  bool constrained;       // some constraint of the schedule speaks of it
  bool held;              // by a chain or a delay, as of held_version
  bool idle;              // its thread spins or has just yielded: not able to do anything useful
  bool may_time_out_early;  // the schedule lets its time come before the others' work
  bool prefers;           // it waits only for what the schedule prefers: when nothing else can run it goes without
  // A strategy's own notes; zeroed when the op is posted, as is all up to gave_up.
  uint64_t priority;
  uint32_t redraws;
  uint32_t held_version;
  uint8_t event_flags;    // EventFlag gathered while waiting
  bool timed_out;         // it goes because its time came
  bool asks_at_end;       // it may wait for the world outside: when nobody can ever move again it goes, too, to look
  bool gave_up;           // it went without what it prefers, or is up to look
  // The engine's.
  uint32_t req;
  uint32_t pc_index;
  uint32_t position;      // index of the code position itself: pc_index is the user's call, if that is in a library
  uint32_t context_node;
  Object* object;
  Thread* owner;
  MayGo may_go;           // null: always
  uint64_t deadline;      // virtual ns at which it goes anyway; kNever
  uintptr_t detail;       // the primitive's (a mutex of a wait, a ticket, ...)

  bool writes() const { return (kind_info(kind).roles & kWrites) != 0; }
  bool conflicts_with(const Pending& other) const {
    return object_index != 0 && object_index == other.object_index && conflicting(kind, other.kind);
  }
};

// The event that an operation is recorded as while it has not taken effect.
inline Event unfinished_event(const Pending& p) {
  return {.site = p.site, .thread = p.thread_index, .object = p.object_index, .occurrence = p.occurrence, .context = p.context,
          .req = p.req, .done = 0, .partner = kNoEvent, .value = 0, .choice = 0, .pc_index = p.pc_index, .kind = p.kind,
          .order = p.order, .outcome = Outcome::none, .flags = p.event_flags, .reserved = 0};
}

}  // namespace heddle::rt
