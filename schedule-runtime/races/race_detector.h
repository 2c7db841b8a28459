// Which accesses race, by the happens-before of the recorded order: FastTrack (Flanagan and Freund, PLDI 2009) over the strong relation. Plain
// accesses race with plain ones and with atomic operations, these never with each other. A lock and its like is used atomically, so what
// races with it is writing over it, freeing it or destroying it.
//
// The racing sites are published with the run: mutators make them visible in children (docs/design/runtime-laws.md#plain-accesses). Nothing
// here changes what a run does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "races/access_notes.h"
#include "schema/event.h"

namespace heddle::rt {

// Process start.
void race_detector_initialise();
// A new execution, which is watched: everything known of memory is forgotten in O(1).
void race_detector_begin();
// From now on to the end of the execution nobody tells of events and accesses, and none is judged: all that still counts is where objects begin and end.
void race_detector_rest();
extern constinit bool g_watches_races;
inline bool race_detector_watches() { return g_watches_races; }
// What of a write to memory counts at rest.
void race_detector_written_over(uintptr_t address, size_t size);
// A thread exists from now on (index as in the trace; the main thread is its own parent). Its stack [low, high) holds nothing yet.
void race_detector_thread(uint32_t thread, uint32_t parent, uintptr_t stack_low, uintptr_t stack_high);
// How many events came before the thread's latest plain read of what another thread had written since this one began; 0: there was none.
uint32_t race_detector_heard_at(uint32_t thread);
// What the program asks to have ignored of a thread's doings: plain and atomic accesses by direction, and what its operations order.
// Creation and join order all the same.
enum Ignore : uint8_t { kIgnoreReads = 1 << 0, kIgnoreWrites = 1 << 1, kIgnoreOrder = 1 << 2 };
// An event has been committed: clocks move. An atomic operation accesses `size` bytes at `address`, where its object is; of other objects
// (locks, ...) the first byte stands for all. Address 0: no memory. `partner_thread`: of a rendezvous, when the other half has arrived and
// not gone yet.
void race_detector_event(const Event& event, uint32_t partner_thread = kNoEvent, uintptr_t address = 0, size_t size = 1,
                         uint8_t ignored = 0);
// A plain access of a controlled thread. `pc` is the return address of the instrumentation call.
// `context`: its calling context, where access_notes() are kept.
void race_detector_access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc, uint32_t context = 0);
// The same by the index of its site.
void race_detector_access_at(uint32_t thread, uintptr_t address, size_t size, bool write, uint32_t site, uint32_t context);
// True if the access adds nothing to what is known: most do. `race_detector_access` need not be called then.
bool race_detector_knows(uint32_t thread, uintptr_t address, size_t size, bool write);
// It is this thread that runs now: what known_access.h tells and takes is about its accesses.
void race_detector_run(uint32_t thread);
// Memory changes hands: what lay there is forgotten, objects of the engine included (see set_object_sink). The address is its home.
void race_detector_forget(uintptr_t address, size_t size);
// A mapping ends: a write to all that is known of it, to be forgotten by the caller once it has gone.
void race_detector_unmapped(uint32_t thread, uintptr_t address, size_t size, uintptr_t pc, uint32_t context);
// Its accesses are forgotten, for its bytes are new; the objects stay.
void race_detector_discarded(uintptr_t address, size_t size);
// Another address is the home of that memory (heap/shared_views.h). Accesses may be told at any.
void race_detector_moved(uintptr_t from, uintptr_t to, size_t size);
// Some memory has several addresses from now on.
void race_detector_aliased();
// The thread has given the block back: until the memory is forgotten, an access to it is one after its end.
void race_detector_freed(uint32_t thread, uintptr_t block, size_t size, uint32_t site);
// If anything has been (granules().any_freed()): before an object is looked at, for what its bytes say is no longer true (`what`: "a mutex", for the report).
void race_detector_use(uint32_t thread, uintptr_t address, uintptr_t pc, const char* what);
// An object of the engine begins at the address: a plain write over it, or memory that changes hands, ends its life.
void race_detector_object(uintptr_t address);
// Told of each such object (null: nobody). `written`: by a plain write. The answer is true if the object is gone.
using ObjectSink = bool (*)(uintptr_t address, bool written);
void set_object_sink(ObjectSink sink);
// Races on these bytes are no findings, only news for the search. `lasting`: in all executions to come; else until this one ends, or the
// memory changes hands.
void race_detector_benign(uintptr_t address, size_t size, bool lasting);
// The pairs found in this execution, each once.
const RacingPair* race_detector_pairs(uint32_t& count);

// Told of each new pair where it happens (null: nobody): lets a data race be a finding.
struct RaceReport {
  RacingPair pair;
  uintptr_t address;
  size_t size;
  uint32_t first_thread, second_thread;    // indices; second is the current access
  uintptr_t first_pc, second_pc;
  const AccessNote *first, *second;        // null: no more is known of it
};
using RaceSink = void (*)(const RaceReport&);
void set_race_sink(RaceSink sink);

}  // namespace heddle::rt
