// Which accesses race, by the happens-before order of the recorded run: FastTrack (Flanagan and Freund, PLDI 2009) over the strong
// relation. Plain accesses race with plain accesses and with atomic operations. Atomic operations never race with each other. Using a lock
// or a similar object counts as atomic. So it races with overwriting, freeing or destroying the object.
//
// The racing sites are published with the run, and mutators make them visible in children (docs/design/runtime-laws.md#plain-accesses). The
// race detector never changes what a run does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "order/vector_clock.h"
#include "races/access_notes.h"
#include "schema/event.h"

namespace heddle::rt {

struct LoggedAccess;

// Called at process start.
void race_detector_initialise();
// A new, watched execution begins. Everything known about memory is forgotten in O(1). `shares_lanes`: a thread may go on in the component of
// the clocks of one that has ended (order/lanes.h). So not if anyone else keeps clocks.
void race_detector_begin(bool shares_lanes = true);
// Until the end of the execution, events and accesses are not reported to the detector and no races are checked. Only the begin and end of
// objects still count. Who needs happens-before reports the events to race_detector_order.
void race_detector_rest();
extern constinit bool g_watches_races;
inline bool race_detector_watches() { return g_watches_races; }
// The part of a write to memory that still counts while the detector rests: it may overwrite objects.
void race_detector_written_over(uintptr_t address, size_t size);
// A thread begins (index as in the trace; the main thread is its own parent). Its stack [low, high) contains nothing yet.
void race_detector_thread(uint32_t thread, uint32_t parent, uintptr_t stack_low, uintptr_t stack_high);
// The thread has ended with the latest event.
void race_detector_ended(uint32_t thread);
// `thread` is the first one of a child process, which has a copy of the memory: what `other`, a thread of its parent, has done is in its past.
void race_detector_inherits(uint32_t thread, uint32_t other);
// The number of events before the thread's latest plain read of something that another thread wrote after this thread began. 0: there was
// no such read.
uint32_t race_detector_heard_at(uint32_t thread);
// Of an execution that is watched: the number of the thread's next event among its own, and whether that event of `thread` is in the past of what
// `now` does next.
uint32_t race_detector_epoch(uint32_t thread);
bool race_detector_in_past(uint32_t thread, uint32_t epoch, uint32_t now);
// The clocks of this execution have taken so much memory that it should end. Each lock and atomic has one, as long as there are threads.
bool race_detector_crowded();
// The same as a clock: what of the other threads is in the past of the thread's next operation. Valid until an event is committed.
const order::VectorClock& race_detector_clock(uint32_t thread);
// What an acquire that reads the latest store to this object (its index) learns.
const order::VectorClock& race_detector_release_view(uint32_t object);
// The kernel acts as a seq_cst fence in the thread's next event, which accesses no memory. `read`: as in ClockTracker::barrier.
void race_detector_barrier(uint32_t thread, const order::VectorClock* read);
// What the program asks to have ignored of a thread's doings: plain and atomic accesses by direction, and what its operations order.
// Creation and join order all the same.
enum Ignore : uint8_t { kIgnoreReads = 1 << 0, kIgnoreWrites = 1 << 1, kIgnoreOrder = 1 << 2 };
// An event has been committed, so clocks move. An atomic operation accesses `size` bytes at `address`, the address of its object. For other
// objects (locks, ...), the first byte represents the object. Address 0: no memory. `partner_thread`: for a rendezvous whose other half has
// arrived and not gone on yet. `source`: the release view of the store that an atomic reads; null: of the latest store to its object.
void race_detector_event(const Event& event, uint32_t partner_thread = kNoEvent, uintptr_t address = 0, size_t size = 1,
                         uint8_t ignored = 0, const order::VectorClock* source = nullptr);
// An atomic operation that is no event of the record: ClockTracker::look().
void race_detector_look(const Event& look);
// The same while the detector rests: clocks move, and no access is checked.
void race_detector_order(const Event& event, uint32_t partner_thread, uint8_t ignored, const order::VectorClock* source);
// A plain access of a controlled thread. `pc` is the return address of the instrumentation call. `context` is its calling context, if
// access_notes() are kept.
void race_detector_access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc, uint32_t context = 0);
// The same, given the index of the site.
void race_detector_access_at(uint32_t thread, uintptr_t address, size_t size, bool write, uint32_t site, uint32_t context);
// True if the access adds no information; this holds for most. Then `race_detector_access` need not be called.
bool race_detector_knows(uint32_t thread, uintptr_t address, size_t size, bool write);
// Was the last write to this byte a plain one? Then whose, and where; within one epoch of the thread, a later write may have followed.
bool race_detector_plain_writer(uintptr_t address, uint32_t& thread, uint32_t& site);
// This thread runs now. known_access.h is about its accesses.
void race_detector_run(uint32_t thread);
// Memory gets another owner. What is known about it is forgotten, including objects of the engine (see set_object_sink). The address is
// canonical (heap/shared_views.h).
void race_detector_forget(uintptr_t address, size_t size);
// A heap block or a mapping ends. This counts as a write to all its known bytes. `site` and `context` as of an access.
void race_detector_end_of_memory(uint32_t thread, uintptr_t address, size_t size, uint32_t site, uint32_t context);
// The same for a heap block that is freed right after it (race_detector_freed), or forgotten. `over_objects`: a write to all its bytes.
void race_detector_end_of_block(uint32_t thread, uintptr_t address, size_t size, bool over_objects, uint32_t site);
// The memory has new contents, so its accesses are forgotten. Its objects stay.
void race_detector_discarded(uintptr_t address, size_t size);
// The memory has another canonical address now (heap/shared_views.h). Accesses may come with any of its addresses.
void race_detector_moved(uintptr_t from, uintptr_t to, size_t size);
// From now on, some memory has several addresses.
void race_detector_aliased();
// The thread has freed the block. Until the memory is forgotten, any access to it is a use after free.
void race_detector_freed(uint32_t thread, uintptr_t block, size_t size, uint32_t site);
// Called before an object is used, if any block was freed (granules().any_freed()): the bytes of a freed object are no longer valid. `what`
// is for the report, such as "a mutex".
void race_detector_use(uint32_t thread, uintptr_t address, uintptr_t pc, const char* what);
// An object of the engine begins at the address. It ends when a plain write overwrites it, or when its memory gets another owner.
void race_detector_object(uintptr_t address);
// Called for each such object (null: no one). `written`: a plain write overwrites it. Returns true if the object is gone.
using ObjectSink = bool (*)(uintptr_t address, bool written);
void set_object_sink(ObjectSink sink);
// Races on these bytes are not findings, only news for the search. `lasting`: in all later executions. Otherwise until this execution ends,
// or the memory gets another owner.
void race_detector_benign(uintptr_t address, size_t size, bool lasting);
// The racing pairs found in this execution, each once.
const RacingPair* race_detector_pairs(uint32_t& count);
// Those that a child process has found in its part of the execution (engine/child_process.h).
void race_detector_take_pairs(const RacingPair* pairs, uint32_t count);
// Two accesses that are in order only by chance, as a signal handler's and those of its thread: a racing pair for the search, and no race.
void race_detector_conflict(const LoggedAccess& first, const LoggedAccess& second);
// The thread's next accesses count as new, though it may have made the same before.
void race_detector_new_epoch(uint32_t thread);
// Has it found any?
bool race_detector_raced();
// Of the execution so far.
uint32_t race_detector_events();

// Called for each new pair of an execution where it happens (null: not called): lets a data race be a finding, or be listed.
struct RaceReport {
  RacingPair pair;
  uintptr_t address;
  size_t size;
  uint32_t first_thread, second_thread;    // indices; second is the current access
  uintptr_t first_pc, second_pc;
  const AccessNote *first, *second;        // null: no more is known of it
};
using RaceSink = void (*)(const RaceReport&);
// `notes`: access_notes() are kept for the reports, which costs.
void set_race_sink(RaceSink sink, bool notes = true);

}  // namespace heddle::rt
