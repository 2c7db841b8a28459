// A controlled thread: a fiber, its lineage and what it is about to do.
#pragma once

#include <cstdint>

#include "engine/object.h"
#include "engine/plain_gate.h"
#include "fiber/fiber.h"
#include "races/race_detector.h"
#include "races/shadow.h"
#include "scheduler/pending.h"
#include "trace/contexts.h"

namespace heddle::rt {

struct OpSpec;  // operation.h

// `elsewhere`: it belongs to the process of which this one is a child (fork). Here it never runs, and keeps what it holds.
enum class ThreadState : uint8_t { live, finished, elsewhere };

// Remembers the last value that a thread read at each site. A thread that reads the same again and again spins
// (docs/design/runtime-laws.md#when-nothing-moves).
//
// A small cache with four ways. With one way, two sites of one loop could evict each other, and the loop would look like progress.
struct SpinMemory {
  static constexpr int kSets = 8, kWays = 4;
  struct Slot {
    uint64_t key;
    uint32_t value;
  };
  Slot slots[kSets][kWays];
  uint8_t begun;  // one bit for each set

  // A short thread uses few of the sets. So each is cleared when it is used first.
  void begin() { begun = 0; }
  // True if `value` is what this key gave last time.
  bool repeated(uint64_t key, uint32_t value) {
    Slot* set = slots[key % kSets];
    const auto bit = static_cast<uint8_t>(1u << key % kSets);
    if ((begun & bit) == 0) {
      for (int way = 0; way < kWays; ++way) set[way] = {};
      begun |= bit;
    }
    int i = 0;
    while (i < kWays - 1 && set[i].key != key) ++i;
    const bool same = set[i].key == key && set[i].value == value;
    for (; i > 0; --i) set[i] = set[i - 1];
    set[0] = {key, value};
    return same;
  }
};

// What annotations tell the race detector to ignore in a thread. They nest.
struct Ignored {
  uint8_t what;  // Ignore, of those counted below
  uint32_t reads, writes, order;

  void begin(uint8_t more) { add(more, 1); }
  void end(uint8_t less) { add(less, -1); }

 private:
  void add(uint8_t which, int change) {
    count(which, kIgnoreReads, reads, change);
    count(which, kIgnoreWrites, writes, change);
    count(which, kIgnoreOrder, order, change);
  }
  // An end without a beginning has no effect.
  void count(uint8_t which, Ignore one, uint32_t& n, int change) {
    if ((which & one) == 0 || (change < 0 && n == 0)) return;
    n += static_cast<uint32_t>(change);
    what = static_cast<uint8_t>(n != 0 ? what | one : what & ~one);
  }
};

// What the compiler's callback for a plain access may skip.
enum class PlainPath : uint8_t {
  alone,   // all of race detection: see Thread::alone
  shared,  // what the race detector already knows
  unwatched,  // the race detector itself: see known_orders.h
  listed,  // the race detector, unless the input makes the access visible
  slow,    // nothing: ASan checks each access, or the memory may be known under another address
};

// What pthread_cancel and its relatives ask of a thread.
struct Cancellation {
  bool requested, disabled, asynchronous;
  uint32_t event;          // that requested it
};

struct Locking {
  static constexpr uint8_t kMost = 4;  // further ones are not noted
  uint32_t object;                     // index
  Kind kind;
};

struct Thread {
  static constexpr uint32_t kPlainWindow = 1 << 12;
  static constexpr uint8_t kWritesToTell = 16;

  ShadowStack stack;       // its memory stays with the slot for later executions
  Pending op;
  uint32_t index;
  ThreadId id;
  Thread* parent;
  uint32_t children;       // how many it has created
  ThreadState state;
  bool detached;
  bool joined;
  bool main;
  fiber::Fiber* fiber;
  Object* object;          // what joins wait on
  void* (*start)(void*);
  void* argument;
  uintptr_t stack_low;
  uintptr_t stack_high;
  uintptr_t frames;        // stack memory below this is in no frame of the program, since its arrival at `op`; 0: not known
  uintptr_t start_pc;      // the site of its start and end: the user's start routine, else the place of its creation
  void* result;
  uint32_t live_slot;      // place in the engine's list of live threads
  Pending* next_pending;   // links of op in its object's list
  Pending* previous_pending;
  bool linked;
  bool in_operation;       // between arrive() and commit()
  uint32_t stale_ops;      // operations since the thread learnt or did anything new
  uint32_t stale_sleeps;   // operations with a time limit since its last news
  uint32_t hurried_at;     // 1 + the engine's count of news when it last went on without a cause; 0: never
  uint32_t hurried_in_row; // how often it did so since it last waited for a cause
  uint32_t news_seen;      // the engine's count of news when it became a spinner
  uint32_t spin_threshold; // how many of them make it a spinner
  bool has_spun;           // they have once
  uint8_t goes_first;      // so many operations more: see Engine::go_first
  bool alone;              // no other thread has existed yet. All later threads are ordered after what it does now
  uint8_t samples;         // how many of its next plain accesses are sampled, to see where it runs
  PlainPath plain_path;
  uint8_t writes_to_tell;  // while it is alone: how many of its next writes may still report news to the engine
  bool next_write_is_new;  // unwatched: it has published something since its last write to shared memory
  PlainGate* gate;         // tls_gate of its fiber; null until it runs
  uint32_t plain_accesses; // whole windows of plain accesses since the last visible operation
  uint32_t clock_reads;    // in a row
  uint32_t random_draws;   // how many random numbers it has asked the system for
  Ignored ignored;
  uint32_t expected_panics;  // scopes in which what Go calls a panic is no finding
  Locking locking[Locking::kMost];  // annotated locks that it is taking, the innermost last: a lock may take others on its way
  uint8_t locking_count;
  uintptr_t outer_pc;      // the user's call into a library function with a shim of its own; 0: none
  uintptr_t outer_frame;   // frame of that shim, if everything below is not the program's; 0: not known
  uintptr_t initialises;   // the canonical address of the object that it is about to initialise; 0: none
  void (*at_end)(Thread&); // a primitive's work after the thread's own destructors; null: none
  // A primitive's work before the thread's next operation (`chosen` is null), and when the turn of that operation has come. It may end the
  // thread. True: the operation is withdrawn, and the thread must arrive at it again. Null: none.
  bool (*interrupt)(Thread&, const OpSpec&, Pending* chosen);
  uint64_t wakes_for_itself;  // virtual time at which its wait ends for something that comes to the thread itself (set by interrupt()); kNever
  uint64_t own_deadline;   // that of its wait without the above
  uint64_t rings_at;       // virtual time at which something comes to the thread between two operations (set by interrupt()); kNever
  bool interrupted;        // interrupt() has ended its last operation:
  uint32_t interrupted_event;  // the event that it recorded
  Cancellation cancellation;
  char name[16];           // in the kernel's form; empty: the program's name
  uint64_t blocked_signals, pending_signals;  // one bit each, the lowest for signal 1
  uint64_t suspended_for;  // signals that would end its sigsuspend or pause, or its ppoll before it waits there; 0: it is in none
  SpinMemory spin;         // not cleared when a thread takes the slot

  // A visible operation restarts the count.
  void forget_plain_accesses() {
    plain_accesses = 0;
    writes_to_tell = kWritesToTell;
    if (gate == nullptr) return;
    gate->close_writes();
    begin_window();
  }
  void begin_window() {
    samples = 0;
    gate->reads = gate->writes = kPlainWindow;
  }
  // An unwatched thread has published: its next write counts as progress.
  void has_published() {
    next_write_is_new = true;
    if (gate != nullptr) gate->close_writes();
  }
  bool on_stack(uintptr_t address) const { return address - stack_low < stack_high - stack_low; }
};

}  // namespace heddle::rt
