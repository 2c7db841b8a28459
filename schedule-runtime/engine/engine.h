// One execution at a time: threads, objects, virtual time, and the choice of the next thread.
//
// The engine does not know the primitives. A primitive
//   1. finds its object:            Object& o = engine().object(address, Family::mutex, spec)
//   2. arrives at the operation:    Pending& p = engine().arrive(spec)     -- may switch fibers; on return it is this thread's turn
//   3. changes its own state;
//   4. commits the event:           engine().commit(p, {...})               -- recorded; ops on the object are asked again
// Between 2 and 4 no other thread runs, and nothing there allocates or calls out.
#pragma once

#include <sys/syscall.h>

#include <cstdint>
#include <span>

#include "base/address_map.h"
#include "base/raw_syscall.h"
#include "base/reserved_array.h"
#include "engine/child_process.h"
#include "engine/known_orders.h"
#include "engine/operation.h"
#include "engine/run.h"
#include "engine/thread.h"
#include "engine/visible_plain.h"
#include "graph/execution_graph.h"
#include "scheduler/choose_source.h"
#include "scheduler/decisions.h"
#include "scheduler/enforcement.h"
#include "scheduler/strategy.h"
#include "scheduler/windows.h"
#include "trace/finding.h"
#include "trace/recorder.h"
#include "trace/spots.h"

namespace heddle::rt {

// The controlled thread that runs. Null outside executions, on foreign threads, and while the runtime itself calls other code.
// Found by the program's code under this name (harness/gate).
extern thread_local constinit Thread* tls_thread __asm__("heddle_thread") __attribute__((visibility("default")));
static_assert(offsetof(Thread, stack) == gate_layout::kStack);
inline Thread* current_thread() { return tls_thread; }

// Calls made in its scope pass through: for reports and other work that uses the C library on a controlled thread.
class Uncontrolled {
 public:
  Uncontrolled() : saved_(tls_thread) { tls_thread = nullptr; }
  ~Uncontrolled() { tls_thread = saved_; }
  Uncontrolled(const Uncontrolled&) = delete;
  Uncontrolled& operator=(const Uncontrolled&) = delete;

 private:
  Thread* saved_;
};

// Why an execution ended.
enum class EndReason : uint8_t {
  finished, stuck, livelock, step_bound,
  unwatched,  // the execution depended on something that only the race detector knows
};

class Engine {
 public:
  static constexpr uint32_t kStepBound = 1'000'000;          // operations
  static constexpr uint32_t kLastStep = 2 * kStepBound;      // an operation has two steps: it is posted, and it is done
  static constexpr uint32_t kMaxThreads = Recorder::kMaxThreads;  // one after the other
  static constexpr uint32_t kMostAlive = kMaxThreads / 2;         // at once
  // A thread counts as spinning after this many operations in a row that teach it nothing. The seed makes one thread in four patient: it
  // has the next limit. One patient thread in four has the one after that, and so on. The reason: before a thread sleeps, the C++ library
  // reads an atomic some twenty times with yields in between, and adaptive locks read theirs fifty, a hundred, two hundred or a thousand
  // times. If no thread ever reached that sleep, no missed notification could be found. So each limit is a tenth above such a number, and a
  // patient thread that has begun to spin goes on until it has reached its limit (keeps_its_turn).
  static constexpr uint32_t kSpinThreshold = 8;
  static constexpr uint32_t kPatientThresholds[] = {55, 220, 1'100};
  static uint32_t spin_threshold(uint64_t draw) {
    uint32_t threshold = kSpinThreshold;
    for (const uint32_t patient : kPatientThresholds) {
      if ((draw & 3) != 0) break;
      threshold = patient;
      draw >>= 2;
    }
    return threshold;
  }

  const RunSummary& run(std::span<const uint8_t> input, Body body, void (*between)());
  // Does what the first execution would do once before it captures the initial state. For a process that forks others.
  void prepare();
  // This process makes a single execution, so its initial state need not be kept.
  void run_only_once() { only_once_ = true; }
  // Somebody wants the recorded run of each one.
  void watch_each_execution() { watches_each_ = true; }
  // The signals that main blocks when an execution begins. The lowest bit is signal 1.
  void begin_with_signals_blocked(uint64_t signals) { initially_blocked_ = signals; }
  int body_result() const { return body_result_; }
  bool running() const { return running_; }
  uint64_t executions() const { return executions_; }
  // Counts starts: an execution that is repeated counts twice.
  uint64_t begun() const { return begun_; }
  // Only threads that it has left behind still run.
  bool body_has_returned() const { return main_finished_; }
  EndReason end_reason() const { return end_reason_; }
  const ScheduleView& schedule() const { return schedule_; }
  // Offset into the data bytes that are still unread. Reading one of them can be news (RunSummary::payload_reads).
  uint64_t payload_offset(uintptr_t address) const { return address - reinterpret_cast<uintptr_t>(unread_.data()); }
  bool in_unread_payload(uintptr_t address) const { return payload_offset(address) < unread_.size(); }
  void payload_is_read() {
    unread_ = {};
    if (tls_gate.open()) tls_gate.closed_size = 0;
  }
  const Strategy& strategy() const { return *strategy_; }
  bool assumes(Assumption a) const { return (schedule_.assumes & a) != 0; }

  // --- for primitives -------------------------------------------------------------------------
  // The object at an address. Made if it is new, or if the object there is of another family. `spec.place` names it on first use.
  Object& object(uintptr_t address, Family family, Place place);
  // Null if no object is known there.
  Object* find_object(uintptr_t address);
  // The memory there may have been freed: then this use of it is a finding. object() asks for all families but futexes, of which only a wait uses the memory.
  static void check_use(uintptr_t address, Family family, Place place);
  // Memory that a visible plain access of this execution has touched: of such objects that meet these bytes, the one that was used last,
  // by another thread if there is one.
  Object* visible_object(uintptr_t address, size_t size);
  // What annotations say of an address: an object of its own (Family::annotated), beside the atomic or the lock that may lie there.
  Object& annotated_object(uintptr_t address, Place place) { return object(address, Family::annotated, place); }
  Object* find_annotated(uintptr_t address) { return find_object(annotated_key(home_of(address))); }
  void forget_annotated(uintptr_t address) { forget_object(annotated_key(home_of(address))); }
  // All objects of this execution, from index 1 on. If an object was forgotten, find_object(its address) finds a newer one, or none.
  uint32_t object_count() const { return static_cast<uint32_t>(objects_.size()); }
  Object& object_at(uint32_t index) { return objects_[index]; }
  // The memory no longer holds this object: it was freed or overwritten, or the object was destroyed and constructed again.
  void forget_object(uintptr_t address);
  // The current thread has initialised the object. Its next user gets a new one. Who is in a wait stays at the old one. But if other threads are
  // about to use it, it stays theirs, without a state: true.
  bool initialised(uintptr_t address);
  // The operation has not begun: its thread neither sleeps for it nor leaves a wait.
  static bool begins_use(const Pending& p) { return p.enabled && p.kind != Kind::barrier_leave && p.kind != Kind::cond_wake; }
  // For memory that is mapped several times (heap/shared_views.h): the address under which its objects are known; that address has changed;
  // the first such mapping has appeared.
  static uintptr_t home_of(uintptr_t address);
  void memory_moved(uintptr_t from, uintptr_t to, size_t size);
  void memory_aliased();

  Pending& arrive(const OpSpec& spec);
  // The op's turn came, but it found no partner. It waits as the same operation until may_go(p) holds, until its deadline, or (with
  // `prefers`) until nothing else can run. For ops that had no may_go when they arrived. The code that makes may_go true calls wake().
  Pending& park(Pending& p, MayGo may_go, uint64_t deadline, bool early, bool prefers);
  // Its deadline is now this one, or the time at which the thread wakes for itself.
  static void wait_until(Pending& p, uint64_t deadline);
  void wake(Pending& p);
  // A wait of the thread, if it is in one, ends at that virtual time, as if its own time had come. interrupt() then does what the time is for.
  void wake_for_itself(Thread& t, uint64_t at);
  // How often the time of its waits has come since any thread was last at a new place.
  uint32_t rounds_in_known_places(const Pending& p) const;
  // All other threads are blocked, and time does not change that.
  bool others_are_blocked(const Thread& t) const;
  // The op's turn came, but the thread does something else first, and then arrives at it again.
  void withdraw(Pending& p);
  // An operation on several objects turned out to be on this object.
  static void settle_on(Pending& p, Object* o);
  // A waiting operation waits on this object from now on. The caller says touched() if that changes whether it may go.
  void move_to(Pending& p, Object& o);
  uint32_t commit(Pending& op, const Commit& how);  // index of the event, kNoEvent when the recorder is full
  // Records an event without an operation: the program reports something that it did by other means. There is no choice point before it,
  // and constraints neither hold nor release it. Only for passive kinds with an object.
  uint32_t announce(const OpSpec& spec, const Commit& how);
  bool has_preferences() const { return !schedule_.selects.empty(); }
  // How many choices of this kind the thread has made at this site, including the current one.
  uint32_t instance_of(const OpSpec& spec, SiteId site);
  // What the schedule prefers at this choice point of the select kind. Null: no preference.
  const SelectPreference* preference(const OpSpec& spec);
  // The same for an operation of this kind that could come at the position of `before`, and before it.
  const SelectPreference* preference(const Pending& before, Kind kind);
  // A random draw. Candidate 0 has the weight `first_weight`, each other candidate has 1. Returns 0..count-1.
  uint32_t draw(const OpSpec& spec, uint32_t count, uint32_t first_weight);
  // Under a weak memory model: which of several stores the op reads, or at which of several places its store goes. The newest is 0.
  uint32_t choose_source(const Pending& p, const graph::Location& x, const graph::Candidates& candidates, bool& preferred);
  // The thread has executed one more event of the execution graph.
  void graph_event(uint32_t thread) { enforcement_.graph_event(thread); }
  // Makes a decision of the select kind for the pending op of the current thread. The preference decides if there is one, else a draw.
  uint32_t choose(const OpSpec& spec, uint32_t count, uint32_t first_weight, bool* preferred = nullptr);

  // A plain write to memory outside the thread's own stack. It counts as progress, even if the thread's visible operations repeat.
  void wrote_shared_memory(Thread& t) {
    ++news_;
    t.stale_ops = 0;
    stale_choices_ = 0;
  }
  // The same in an unwatched execution, which cannot know whether the write was new. The next writes of the thread are not known either,
  // until it publishes.
  void may_have_written_shared_memory() {
    unsure_ = true;
    tls_gate.open_writes();
  }
  // The next step depends on whether anything new has happened. If that is not known, the execution ends here and is repeated under the
  // race detector.
  void turns_on_news() {
    if (__builtin_expect(unsure_, 0)) end_unwatched();
  }
  // Errors are reported only from watched executions.
  void watch_from_the_start() {
    if (!watched_) end_unwatched();
  }
  bool on_its_thread() const { return raw_syscall(SYS_gettid) == kernel_thread_; }
  [[noreturn]] void end_unwatched() { end_run(EndReason::unwatched); }
  // The program changes files. Only the program can undo that, at the end of an execution that is not cut short.
  void changes_files() { changes_files_ = true; }
  // The program receives a value that no event contains, such as the time or a random number.
  void told(uint64_t value) { told_ = mix(told_, value); }
  // An operation on one object changed another object (a wait releases its mutex). So the pending ops of that object are asked again.
  void touched(Object& o) {
    if (o.pending_head != nullptr) reconsider(o);
  }
  // Raises a finding about the current thread at `place`.
  void misuse(FindingType type, const Object* object, Place place, uint32_t other_thread = kNoEvent,
              uint32_t other_event = kNoEvent, const char* detail = nullptr, uintptr_t address = 0);
  // Checks for a use after destruction. If an object can be destroyed while its operation waits for its turn, the caller checks again then.
  void check_alive(const Object& o, Place place) {
    if (o.destroyed) misuse(FindingType::use_after_destroy, &o, place, kNoEvent, o.destroy_event);
  }

  // A decision of the select kind: does the thread go on without a cause? Examples: a spurious wake-up, a time-out that comes early, a weak cas that
  // fails. "Yes" is candidate 1. "Yes" comes at most once until something new has happened, and at most kHurriesInRow times until the
  // thread has waited for a cause. Otherwise a loop around the wait would never end, because a schedule may prefer "yes" every time. The
  // second limit is for loops that count the waiters, and so always do something new.
  static constexpr uint32_t kHurriesInRow = 64;
  bool hurries(const OpSpec& spec, uint32_t first_weight, bool& preferred) { return hurry(spec, 2, first_weight, preferred) != 0; }
  // The same with several ways to do so; 0: no.
  uint32_t hurry(const OpSpec& spec, uint32_t count, uint32_t first_weight, bool& preferred);
  // An operation that did not have to be made counts for the instance of the next one of its kind there.
  void leave_out(const OpSpec& spec);
  // The current thread has gone on without a cause, as the schedule prefers. It goes first for a few operations: what other threads do now could
  // be the cause, and hide what the thread does without it.
  void go_first() { tls_thread->goes_first = kGoesFirst; }
  static constexpr uint8_t kGoesFirst = 8;

  // The program uses memory that may be another thread's local variable (fiber::may_be_stack). If no function of that thread has a frame
  // there any more, this is a finding. `does` is "uses", "reads" or "writes".
  void check_stack_use(uintptr_t address, Place place, const char* does, const Object* object = nullptr);
  // The program switches stacks itself, so the runtime no longer knows whose frames are where.
  void switches_stacks() { stacks_switched_ = true; }

  // --- threads ---------------------------------------------------------------------------------
  // Makes a thread whose next op is its start; `stack`: bytes that it asks for, 0 for the usual size. Null: kMaxThreads have been there.
  Thread* create_thread(void* (*start)(void*), void* argument, bool detached, uint32_t create_event, size_t stack = 0);
  Thread& thread(uint32_t index) { return threads_[index]; }
  // --- processes (child_process.h) -------------------------------------------------------------
  // The first thread of a child process, of which the current thread is the parent. It counts as finished, until that process becomes it. Null: as above.
  Thread* add_process();
  // In the child process: the code of the current thread goes on as this thread. No other thread exists there. `end` is called when the execution
  // has come to its end, and does not return.
  void become(Thread& t, void (*end)());
  ExecutionMark mark() const;
  // What the execution has recorded since, for the process that had the mark, too. If the program has not ended, that includes what its threads
  // wait for. False: it does not fit.
  bool give_rest(const ExecutionMark& since, std::span<uint8_t> memory);
  void take_rest(std::span<const uint8_t> memory);
  // The child process could not come to its end, so its parent cannot go on.
  [[noreturn]] void end_with_child();
  PlainPath plain_path(const Thread& t) const;
  void take_path(Thread& t);  // switches to plain_path(t) and sets the gate accordingly
  uint32_t thread_count() const { return static_cast<uint32_t>(threads_.size()); }
  uint32_t alive() const { return static_cast<uint32_t>(live_.size()); }
  Thread* thread_of(pthread_t handle);

  // --- time ------------------------------------------------------------------------------------
  uint64_t now() const { return now_; }
  uint32_t steps() const { return steps_; }
  void advance_time(uint64_t ns) { now_ += ns; }
  // With kPatientTimeouts, time stands still while another thread can run, or `reader`, which reads a clock, may do something else soon: it may only
  // measure the clock. After so many steps it passes nevertheless, because the busy threads may wait for a thread that sleeps or waits with a time limit.
  // Each time that a time limit has passed so, the next one takes a fourth of them: the program polls. Not so sleeps: a loop of them may be a limit.
  static constexpr uint32_t kBusyWhileAsleep = 1 << 16, kBusyWhileWaiting = 1 << 19, kMostForcedLimits = 3;
  bool time_stands_still(const Thread& reader) const;
  // With kPatientTimeouts, an idle thread counts as waiting only after so many operations without news.
  static constexpr uint32_t kPatientStale = 512;
  static bool goes_on(const Pending& p) { return p.owner->stale_ops < kPatientStale; }
  // The thread reads a clock. Each read costs virtual time. Reads in a row cost more and more, because the thread probably waits for a
  // time.
  uint64_t read_time(Thread& t);
  void looked(uint32_t windows);  // progress.cc

  DecisionPoint decision_point() const { return {schedule_.seed, last_identity_}; }
  VisiblePlain& visible_plain() { return visible_plain_; }
  // The user's position behind a place.
  static const Spot& spot_of(Thread& t, Place place) { return spots().at(place.pc, t.outer_pc, t.stack.context(place.frame), place.frame); }
  void at_last_step();
  void begin_debugging() const;       // debugger_view.cc, like the next two
  void set_last_step(uint32_t step);
  bool stopped_by_debugger();         // at a step before the last one
  [[noreturn]] void end_run(EndReason reason);  // abandons all threads. Called on a controlled thread
  // Ends the execution as a normal end: the calling thread has finished, and `status` is the body's result.
  [[noreturn]] void end_process(int status);

 private:
  friend struct Ladder;
  friend struct EngineView;
  void begin(std::span<const uint8_t> input);
  void restore_state();
  static void restore_at_exit(void*);
  void execute(std::span<const uint8_t> input, Body body, bool watched);
  const RunSummary& run_both_ways(std::span<const uint8_t> input, Body body, void (*between)());
  bool may_go_unwatched() const;
  bool ended_well() const;
  bool may_be_made_again() const;
  uint64_t order_of_operations();
  void publish_graph();
  uint64_t order_of_run();
  void learn_order(bool races);
  void finish();
  void record_unfinished();
  static ThreadEnd end_of_blocked(const Pending& p);
  // The thread belongs to a library that is not instrumented, and is in no function of the program: a pool's thread that waits for work.
  static bool rests_in_library(const Pending& p);
  void let_go();
  void make_main(Body body);
  void fill(Pending& p, Thread& t, const OpSpec& spec);
  uint32_t record(const Pending& p, const Commit& how);
  void leave_out(const Pending& p, const Commit& how);
  static Event unfinished(const Pending& p);
  // The key in object_by_address_. Addresses of a program never have this bit.
  static uint64_t annotated_key(uintptr_t address) { return address | 1ull << 63; }
  void chosen(Pending& p);
  void post(Pending& p);
  void post_waiting(Pending& p);
  void set_aside(Pending& p);
  void chosen_in_vain(Pending& p);
  void set_ready(Pending& p, bool ready);
  void link(Pending& p);
  void unlink(Pending& p);
  void reconsider(Object& o);
  void note_progress(Thread& t, const Pending& p, const Commit& how);
  void wake_idle(Kind kind);
  Pending* choose_next();
  const SelectPreference* preference(ThreadId thread, SiteId site, Kind kind, uint32_t instance) const;
  Pending* climb();  // the ladder
  // The next op of the thread that was last, if it spins and is patient, once in its life; or if it goes first. Null: neither, or it may not go.
  Pending* keeps_its_turn(Pending* const* candidates, uint32_t count);
  Pending* pick(Pending* const* candidates, uint32_t count);
  void switch_to(Pending& next);
  void begin_thread(Thread& t);
  // A new slot with its record and its object.
  Thread& add_thread(ThreadId id, Thread* parent, uint32_t create_event);
  void make_object_of(Thread& t, uint32_t create_event);
  void leave_behind(const Thread& but);
  static void thread_entry(void* thread);
  [[noreturn]] static void thread_finish(fiber::Fiber* fiber);
  [[noreturn]] void leave(Thread& t);
  void recycle_finished();
  ObjectId name_object(uintptr_t address, Place place);
  static uint64_t occurrence_key(uint64_t thread_at_site, Kind kind) {
    return (thread_at_site + static_cast<uint8_t>(kind) * 0x9E3779B97F4A7C15ull) | 1;
  }
  uint32_t next_occurrence(uint64_t key);
  static WriteRecord last_write(uint32_t object_index);
  static bool object_overwritten(uintptr_t address, bool written);

  bool prepared_ = false;
  bool only_once_ = false, watches_each_ = false;
  uint64_t initially_blocked_ = 0;
  bool initialised_ = false;
  bool running_ = false;
  uint64_t executions_ = 0, begun_ = 0;
  long kernel_thread_ = 0;  // on which all executions are made
  int body_result_ = 0;
  Body body_ = nullptr;
  EndReason end_reason_ = EndReason::finished;

  std::span<const uint8_t> unread_;
  ScheduleView schedule_;
  const Strategy* strategy_ = nullptr;
  bool creators_first_ = false;
  Enforcement enforcement_;
  ChooseSource sources_;
  uint64_t last_identity_ = 0;
  uint32_t last_thread_ = 0;
  uint32_t steps_ = 0;         // the clock of req and done
  Windows windows_;
  uint32_t limit_ = 0;         // the run ends at this step: the step bound, or less once main has finished
  uint32_t last_step_ = 0;     // the same, or the step at which a debugger wants to stop
  uint64_t now_ = 0;           // virtual ns
  uint32_t time_moved_ = 0;    // the step of the last move of time to a deadline
  uint32_t forced_limits_ = 0;  // time limits that have passed while others went on
  uint32_t idle_count_ = 0;    // pending ops marked idle
  bool watched_ = true;        // the race detector runs also while there are several threads
  bool unsure_ = false;        // unwatched: a plain write may have been new
  uint64_t told_ = 0;          // see told()
  bool changes_files_ = false;
  bool stacks_switched_ = false;
  uint32_t news_ = 0;          // grows when a thread does or learns something new
  uint32_t waits_lent_ = 0;    // how often time has moved because an op waits for a preferred outcome
  uint64_t vain_looks_ = 0, pauses_ = 0, events_at_look_ = 0;  // see looked()
  uint32_t stale_choices_ = 0; // choices since the last news, with only spinners and sleepers left
  bool main_finished_ = false;
  void (*end_of_process_)() = nullptr;  // see become()

  ReservedArray<Thread> threads_;
  ReservedArray<Object> objects_;   // index 0 unused
  ReservedArray<Pending*> live_;
  ReservedArray<Pending*> ready_;        // the enabled ones
  ReservedArray<int32_t> ready_slots_;   // by thread index: its place there; -1
  ReservedArray<Pending*> candidates_;
  ReservedArray<Thread*> finished_;
  ReservedArray<ShadowStack> spare_stacks_;  // of threads that are gone, for slots that never had one
  AddressMap object_by_address_;
  AddressMap occurrences_;
  VisiblePlain visible_plain_;
  KnownOrders known_orders_;
  uint64_t order_ = 0;              // of the operations of this execution; 0: not hashed yet
  AddressMap by_handle_;            // pthread_t -> thread index
  ReservedArray<uint8_t> input_;    // aligned copy of the bytes
};

extern Engine g_engine;
inline Engine& engine() { return g_engine; }

}  // namespace heddle::rt
