// The records of a run, in frozen layouts. An execution publishes them; the mutator, the feedback and the analyses read them. They are
// written to shared memory and to trace files without conversion. So fields are never changed, moved or reused. New data is a new struct in
// a new vector.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schema/identity.h"
#include "schema/kinds.h"

namespace heddle {

// How an operation went. Written to files.
enum class Outcome : uint8_t {
  none = 0,       // nothing to tell apart
  success = 1,    // trylock, cas, timed wait, once (as the one that runs the function), ...
  failure = 2,    // the same, failed or lost
  timeout = 3,    // a timed operation whose time came first
  spurious = 4,   // a wait that returned without a notification
  signalled = 5,  // a wait that returned because of one
  interrupted = 6,  // a signal handler or a cancellation ended the wait
};

// The operation has not done what it was for. It publishes nothing, and usually it acquires nothing.
constexpr bool in_vain(Outcome o) { return o == Outcome::failure || o == Outcome::timeout || o == Outcome::interrupted; }

// Values as in the __tsan_atomic interface. Written to files.
enum class MemoryOrder : uint8_t {
  relaxed = 0, consume = 1, acquire = 2, release = 3, acq_rel = 4, seq_cst = 5, plain = 255,
};

constexpr bool acquiring(MemoryOrder o) {
  return o == MemoryOrder::acquire || o == MemoryOrder::consume || o == MemoryOrder::acq_rel || o == MemoryOrder::seq_cst;
}
constexpr bool releasing(MemoryOrder o) { return o == MemoryOrder::release || o == MemoryOrder::acq_rel || o == MemoryOrder::seq_cst; }

enum EventFlag : uint8_t {
  kEventHeld = 1 << 0,        // a schedule element held this op back before it went
  kEventElement = 1 << 1,     // it realised an element of a chain
  kEventReleased = 1 << 2,    // it was held, and went only because nothing else could run
  kEventRecursive = 1 << 3,   // a lock taken or released at a depth above one: no edge, no effect
  kEventContended = 1 << 4,   // it had to wait for another thread
  kEventDelayed = 1 << 5,     // a delay of the schedule held it
  kEventPreferred = 1 << 6,   // its choice was taken from a select preference
  kEventForeign = 1 << 7,     // of a lock: given back by another thread than the one that took it
  kEventStale = 1 << 7,       // of an atomic, under a weak memory model: it read a store that was not the newest, or stored below a newer one
};

inline constexpr uint32_t kNoEvent = 0xFFFFFFFFu;

// Event::value of a yield that represents a read of the clock.
inline constexpr uint32_t kYieldOfClock = 1;
// Event::value of a write that is a connect.
inline constexpr uint32_t kWriteOfConnect = 1;
// Of a mutex: the unlock at the end of the owner of a robust mutex, and the lock that learns of it.
inline constexpr uint32_t kValueOfDeadOwner = 1;
// Event::value of a read or write on a descriptor: the result of the system call.
constexpr uint32_t transfer_value(Kind kind, long result) {
  return mix(static_cast<uint64_t>(kind), static_cast<uint64_t>(result)) & 0xFFFFFFFF;
}

// One operation that happened, or that was still waiting at the end. 56 bytes.
//
// Events are in the order of commitment. Operations that never finished are at the end of the trace, with done = 0. `commit_time` gives
// their place in the order (docs/design/happens-before.md#unfinished-operations).
struct Event {
  SiteId site;          // never 0
  uint32_t thread;      // index into RunSummary::threads
  uint32_t object;      // index into RunSummary::objects; entry 0 means "no object"
  uint32_t occurrence;  // n-th time (from 1) that this thread passes this site
  uint32_t context;     // hash of the calling context, never 0 when known
  uint32_t req;         // step at which the thread arrived at the operation
  uint32_t done;        // step at which it took effect; 0: never
  uint32_t partner;     // event that its value, lock or wake-up comes from; kNoEvent: none, or the initial value
  uint32_t value;       // folded hash of the value read or written; of a yield: kYieldOfClock or 0; of a connect: kWriteOfConnect; of a mutex: kValueOfDeadOwner or 0
  uint32_t choice;      // the chosen candidate, for ops that are choices of the select kind. Of one that never finished: only if its outcome is failure
  uint32_t pc_index;    // index into RunSummary::sites
  Kind kind;
  MemoryOrder order;
  Outcome outcome;
  uint8_t flags;        // EventFlag
  uint32_t left;        // hash of what a store, or the section of a lock that ends here, has left in memory; 0: nothing, or not known

  bool finished() const { return done != 0; }
  uint32_t commit_time() const { return done != 0 ? done : req; }
};
static_assert(sizeof(Event) == 56 && offsetof(Event, kind) == 48);

// One thread of a run.
struct ThreadRecord {
  ThreadId id;
  uint32_t parent;        // index of the creating thread; the main thread is its own parent
  uint32_t create_event;  // event that created it; kNoEvent for main
  uint32_t blocked_on;    // object it was still waiting for at the end; 0: none
  uint8_t state;          // ThreadEnd
  uint8_t reserved[3];
};
static_assert(sizeof(ThreadRecord) == 24);

// resting: blocked, but only inside the library that started it, between two pieces of the program's work (a pool's thread).
enum class ThreadEnd : uint8_t { finished = 0, blocked = 1, running = 2, sleeping = 3, joinable_blocked = 4, resting = 5 };

// One object of a run.
struct ObjectRecord {
  ObjectId id;
  uint32_t holder;      // thread index + 1 of the owner at the end; 0: none
  uint32_t first_event; // the event that first touched it
};
static_assert(sizeof(ObjectRecord) == 16);

// One code position of a run. `module_offset` is only valid for reports of the same build.
struct SiteRecord {
  SiteId id;
  uint64_t module_offset;
};
static_assert(sizeof(SiteRecord) == 16);

// A pair of accesses that raced in the run, by happens-before (the observed order of locks is assumed to be necessary). At least one of
// them is plain, or destroys a lock.
struct RacingPair {
  SiteId first;
  SiteId second;
  uint32_t object_hash;  // folds pairs on one variable together
  uint8_t first_writes;
  uint8_t second_writes;
  Kind first_kind;   // of the operation, if it is not plain (an atomic, a lock, ...). none: a plain access
  Kind second_kind;
};
static_assert(sizeof(RacingPair) == 24);

// One case of a select, finished or not. `object` is its channel; 0: a nil channel, or the default case.
struct SelectCase {
  uint32_t event;     // the select
  uint32_t object;
  uint16_t index;     // its index among the cases, as in Event::choice; kDefaultCase
  uint8_t direction;  // CaseDirection
  uint8_t ready;      // 1: it was possible when the select decided
};
static_assert(sizeof(SelectCase) == 12);

enum class CaseDirection : uint8_t { receive = 0, send = 1, otherwise = 2 };
inline constexpr uint16_t kDefaultCase = 0xFFFF;
// Event::choice of a select that took its default case.
inline constexpr uint32_t kDefaultChoice = 0xFFFFFFFFu;

// A channel that the run used.
struct ChannelRecord {
  SiteId site;       // where it was made, else first used
  uint32_t object;
  uint32_t capacity;
  uint32_t peak;     // most values that were in it at once
  uint8_t made;      // 1: in this run
  uint8_t closed;    // 1: at the end
  uint16_t reserved;
};
static_assert(sizeof(ChannelRecord) == 24);

// Two values that instrumented code compared, in their form in memory: numbers in the machine's byte order, strings without the final zero.
// Beyond their sizes the sides are 0. Values longer than kLongest are cut.
struct Comparison {
  static constexpr uint32_t kLongest = 24, kLongestNumber = 8;
  static constexpr uint16_t kNowhere = 0xFFFF;

  uint16_t place;   // the code position, as far as the low bits of its address tell: the same in every process of this binary
  uint8_t kind;     // ComparisonKind
  uint8_t nth;      // among those of its place, from 0
  uint8_t size[2];  // of the sides; a number's are equal
  uint16_t near;    // the data byte whose first read came last before this comparison: the value may come from there
  uint8_t side[2][kLongest];
};
static_assert(sizeof(Comparison) == 56 && offsetof(Comparison, side) == 8);

enum class ComparisonKind : uint8_t {
  variables = 0,  // two numbers
  constant = 1,   // a number with a constant of the program, which is side 1. For a switch, each case is one record
  strings = 2,    // memcmp, strcmp, ...
};

// The result of one chain of the schedule.
struct ChainResult {
  uint32_t length;    // elements given
  uint32_t realised;  // elements done in order before the chain was abandoned
};

enum RunFlag : uint32_t {
  kRunNovel = 1 << 0,      // it had a feature that no earlier run of this process had
  kRunTruncated = 1 << 1,  // more events than the recorder keeps
  kRunStepBound = 1 << 2,  // ended by the step bound
  kRunForeign = 1 << 3,    // the input was no schedule
  kRunFinding = 1 << 4,    // something was reported
  kRunPayloadRead = 1 << 5,  // instrumented code read data bytes
  kRunExited = 1 << 6,     // the body was a whole program that has ended, and its other threads ended with it
  kRunFamiliar = 1 << 7,   // earlier runs of this process had the same order of operations, so everything about it was reported
  kRunTimedOut = 1 << 8,   // the fuzzing engine ended it because it took too long
  kRunEndless = 1 << 9,    // main had ended, and the other threads only spun, up to the step bound
  kRunBounded = 1 << 10,   // weak memory: fairness or the window of a location has left out choices
  kRunByViews = 1 << 11,   // weak memory: too many events to judge the axiom SC exactly
};

struct StoreOrder;  // schema/coherence.h

// What a run publishes: spans into memory of the publisher. In process, they are valid until the next run begins. Across processes, the
// reader copies them.
// (in process) or that a reader has copied (across processes).
struct RunSummary {
  uint64_t input_hash;  // XXH3-64 of the exact input bytes
  uint64_t seed;
  uint32_t flags;       // RunFlag
  uint32_t steps;       // visible operations done
  const Event* events;
  const ThreadRecord* threads;
  const ObjectRecord* objects;
  const SiteRecord* sites;
  const RacingPair* races;
  const ChainResult* chains;
  const SelectCase* select_cases;  // all cases of one select are adjacent, in their order
  const ChannelRecord* channels;
  uint32_t event_count, thread_count, object_count, site_count, race_count, chain_count;
  uint32_t select_case_count, channel_count;
  uint64_t payload_reads;  // bit i: data byte i was read. The last bit: a byte from 63 on was read
  const Comparison* comparisons;  // the first distinct comparisons since the first read of data bytes, and those with the number of data bytes
  uint32_t comparison_count;
  const StoreOrder* coherence;  // the modification order of each location; none under sc
  uint32_t coherence_count;
};

}  // namespace heddle
