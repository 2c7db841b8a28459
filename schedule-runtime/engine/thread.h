// A controlled thread: a fiber, its lineage and what it is about to do.
#pragma once

#include <cstdint>

#include "engine/object.h"
#include "fiber/fiber.h"
#include "races/race_detector.h"
#include "races/shadow.h"
#include "scheduler/pending.h"
#include "trace/contexts.h"

namespace heddle::rt {

enum class ThreadState : uint8_t { live, finished };

// Remembers what a thread read last at a site: a thread that reads the same again and again spins
// (docs/design/runtime-laws.md#when-nothing-moves).
//
// A small cache with four ways: two sites of one loop that pushed each other out would hide that it spins.
struct SpinMemory {
  static constexpr int kSets = 8, kWays = 4;
  struct Slot {
    uint64_t key;
    uint32_t value;
  };
  Slot slots[kSets][kWays];

  // True if `value` is what this key gave last time.
  bool repeated(uint64_t key, uint32_t value) {
    Slot* set = slots[key % kSets];
    int i = 0;
    while (i < kWays - 1 && set[i].key != key) ++i;
    const bool same = set[i].key == key && set[i].value == value;
    for (; i > 0; --i) set[i] = set[i - 1];
    set[0] = {key, value};
    return same;
  }
};

// What the program asks the race detector to leave out of a thread (annotations, which nest).
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
  // An end without a beginning means nothing.
  void count(uint8_t which, Ignore one, uint32_t& n, int change) {
    if ((which & one) == 0 || (change < 0 && n == 0)) return;
    n += static_cast<uint32_t>(change);
    what = static_cast<uint8_t>(n != 0 ? what | one : what & ~one);
  }
};

// What the compiler's callback for a plain access may leave out.
enum class PlainPath : uint8_t {
  alone,   // all of race detection: see Thread::alone
  shared,  // what the race detector knows already
  unwatched,  // the race detector itself: see judged_orders.h
  listed,  // the same, if it is not one of those that the input makes visible
  slow,    // nothing: ASan wants each one checked, or an address may be another one for what is known elsewhere
};

// What a thread's plain accesses come to first, in its own storage, so that the callbacks reach it in one instruction. Those that pass are counted, and nothing
// else is to be done for them: the thread is alone, or the execution is not watched. Closed for all until a controlled thread opens it.
struct PlainGate {
  // How many may come until the next look at how many there were, whether they pass or not. See spent().
  uint32_t reads = 0, writes = 0;
  // What does not pass: reads of these addresses, writes where there is a hint.
  uintptr_t closed_from = 0;
  size_t closed_size = SIZE_MAX;
  const uint8_t* closed_hints = Shadow::kAllHints.data();

  // Of one of the two: the look is due. Unsigned, and so wrapping: compilers then test what they have just stored.
  static bool spent(uint32_t left) { return static_cast<int32_t>(left) < 0; }
  bool open() const { return closed_size != SIZE_MAX; }
  void open_reads(uintptr_t but_from, size_t but_size) { closed_from = but_from, closed_size = but_size; }
  void open_writes() { closed_hints = shadow().object_hints(); }
  void close_writes() { closed_hints = Shadow::kAllHints.data(); }
};
extern thread_local constinit PlainGate tls_gate;

struct Locking {
  static constexpr uint8_t kMost = 4;  // further ones are not noted
  uint32_t object;                     // index
  Kind kind;
};

struct Thread {
  static constexpr uint32_t kPlainWindow = 1 << 12;
  static constexpr uint8_t kWritesToTell = 16;

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
  uintptr_t frames;        // what lies below on its stack is no function's of the program, from its arrival at `op` on; 0: not known
  uintptr_t start_pc;      // stands for the thread's start and end: the user's start routine, else where it was created
  void* result;
  uint32_t live_slot;      // place in the engine's list of live threads
  int32_t ready_slot;      // place in its list of enabled ones; -1
  Pending* next_pending;   // links of op in its object's list
  Pending* previous_pending;
  bool linked;
  bool in_operation;       // between arrive() and commit()
  uint32_t stale_ops;      // operations since the thread learnt or did anything new
  uint32_t stale_sleeps;   // operations with a time limit since one of its operations was news
  uint32_t hurried_at;     // 1 + the engine's count of news when it last went on without a cause; 0: never
  uint32_t hurried_in_row; // how often it has, since it last waited for a cause
  uint32_t news_seen;      // the engine's count of news when it was set aside as a spinner
  uint32_t spin_threshold; // how many of them make it a spinner
  bool alone;              // no other thread has existed yet; and those to come will all know of what was done until then
  uint8_t samples;         // how many of its next plain accesses are to tell where it goes
  PlainPath plain_path;
  uint8_t writes_to_tell;  // of a thread that is alone: how many of its next writes may yet tell the engine of something new
  bool next_write_is_new;  // unwatched: it has published something since it last wrote to memory that others may see
  PlainGate* gate;         // tls_gate of its fiber; null until it runs
  uint32_t plain_accesses; // whole windows of them since the last visible operation
  uint32_t clock_reads;    // in a row
  uint32_t random_draws;   // how often it has asked the system for random numbers
  Ignored ignored;
  Locking locking[Locking::kMost];  // annotated locks that it is taking, the innermost last: a lock may take others on its way
  uint8_t locking_count;
  uintptr_t outer_pc;      // the user's call into a library function that is shimmed itself; 0: none
  uintptr_t outer_frame;   // of that shim, if below it nothing is the program's; 0: not known
  void (*at_end)(Thread&); // what a primitive has to do when the thread's own destructors have run; null: nothing
  SpinMemory spin;
  char name[16];           // as the kernel keeps names; empty: the program's
  uint64_t blocked_signals, pending_signals;  // one bit each, the lowest for signal 1
  uint64_t suspended_for;  // those that would end its sigsuspend or pause; 0: it is in none
  ShadowStack stack;       // its memory stays with the slot over executions

  // A visible operation starts the count anew.
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
  // Its next write tells that it goes on (unwatched).
  void has_published() {
    next_write_is_new = true;
    if (gate != nullptr) gate->close_writes();
  }
  bool on_stack(uintptr_t address) const { return address - stack_low < stack_high - stack_low; }
};

}  // namespace heddle::rt
