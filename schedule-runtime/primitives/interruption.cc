#include "primitives/interruption.h"

#include <signal.h>

#include <algorithm>
#include <utility>

#include "primitives/cancellation.h"
#include "primitives/condvar.h"
#include "primitives/futex.h"
#include "primitives/signal_wait.h"
#include "races/handler_accesses.h"

namespace heddle::rt::primitives {
namespace {

constinit Handlers g_handlers = {};

// Those that the thread waits for in sigsuspend or pause end that wait by themselves.
uint64_t due(const Thread& t) { return t.pending_signals & ~(t.blocked_signals | t.suspended_for); }

// What the calls behind an operation do when a handler has run in their wait.
enum class AfterHandler : uint8_t {
  goes_on,         // the wait begins again
  fails,           // EINTR
  by_action,       // EINTR, unless all actions have SA_RESTART
  wakes,           // it returns as if without a cause. The waiter would miss notifications while the handler runs, if it began again
  not_in_between,  // the handler has to wait: other threads count on this waiter
};

AfterHandler after_handler(Kind kind) {
  switch (kind) {
    case Kind::mutex_lock:
    case Kind::mutex_timedlock:
    case Kind::rwlock_rdlock:
    case Kind::rwlock_wrlock:
    case Kind::thread_join:
    case Kind::barrier_leave:
    case Kind::signal_wait: return AfterHandler::goes_on;
    case Kind::sleep:
    case Kind::descriptor_wait: return AfterHandler::fails;
    case Kind::semaphore_wait:
    case Kind::descriptor_read:
    case Kind::descriptor_write: return AfterHandler::by_action;
    case Kind::cond_wake:
    case Kind::futex_wait: return AfterHandler::wakes;
    default: return AfterHandler::not_in_between;
  }
}

// The wait that an alarm has ended when all other threads were blocked, for as long as its handler runs.
struct Watched {
  bool any;
  uint64_t execution;
  uintptr_t frame;  // the handler's frames are below it
  OpSpec wait;
};
constinit Watched g_watched = {};

bool never(const Pending&) { return false; }

// Not if the wait has a time limit of its own: then it is not for ever.
void watch_over(const Thread& t, const OpSpec& spec, const Pending& p) {
  if (t.own_deadline != kNever || p.asks_at_end || !engine().others_are_blocked(t)) return;
  g_watched = {true, engine().begun(), reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), spec};
  g_watched.wait.object = p.object;
  if (spec.may_go == nullptr || after_handler(p.kind) == AfterHandler::wakes) g_watched.wait.may_go = never;
}

void wake_without_cause(Pending& p) {
  if (p.kind == Kind::cond_wake) cond_wake_without_cause(p);
  else futex_wake_without_cause(p);
}

// The signals leave the list before their handlers run, whose operations come here, too. What has arrived happens before the handler.
void run_handlers(Thread& t, Place place, bool could_be_late = false) {
  for (uint64_t signals; (signals = due(t)) != 0; could_be_late = false) {
    const int number = __builtin_ctzll(signals) + 1;
    take_pending_signal(&t, number);
    signal_handle(number, place, could_be_late);
    // The handler's own frames are below this one. What lies above are those that it interrupts, and the thread's thread-local variables.
    const HandlerAccesses accesses(t.index, t.stack_low, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
    g_handlers.run(number, place);
  }
  g_watched.any = false;
}

// Of the signals that are due, one without SA_RESTART.
bool one_fails(const Thread& t) {
  for (uint64_t signals = due(t); signals != 0; signals &= signals - 1) {
    if (!g_handlers.restarts(__builtin_ctzll(signals) + 1)) return true;
  }
  return false;
}

// The handlers come before an operation whose turn has come, or that has waited. Then the thread arrives at it again, and the next handler may end it.
void go_first(Thread& t, const OpSpec& spec, Pending& p, bool could_be_late) {
  engine().withdraw(p);
  run_handlers(t, spec.place, could_be_late);
}

// A handler that runs in the operation's wait ends the operation.
bool fails_by_handler(const Thread& t, const Pending& p) {
  const AfterHandler after = after_handler(p.kind);
  return after == AfterHandler::fails || (after == AfterHandler::by_action && one_fails(t));
}

// The thread's wait was ended for a handler, or has ended just when one is due. True: it begins again.
bool end_wait(Thread& t, const OpSpec& spec, Pending& p) {
  if (!fails_by_handler(t, p)) {
    go_first(t, spec, p, false);
    return true;
  }
  const uint32_t event = engine().commit(p, {.outcome = Outcome::interrupted, .stored = false, .news = true});
  run_handlers(t, spec.place);
  t.interrupted = true;
  t.interrupted_event = event;
  return false;
}

// A signal takes a moment to get to a thread on another processor: one operation may come before. But a thread that has waited was in the
// kernel, which calls the handler before it returns.
bool could_be_late(const Pending& p) { return (p.event_flags & kEventContended) == 0; }

// The schedule or the seed decides, once for each operation: when the signal becomes due, and again when the operation's turn has come.
constexpr uint64_t kLateSubject = 0x1A7E;

bool comes_later(const Pending& p) {
  if (!could_be_late(p)) return false;
  if (const SelectPreference* const preferred = engine().preference(p, Kind::signal_handle)) return preferred->choice != 0;
  if (engine().schedule().strategy == StrategyId::nonpreemptive) return false;
  return (mix(mix(engine().schedule().seed, p.identity), kLateSubject) & 1) != 0;
}

// The thread goes on with a handler, and not with the operation that it has arrived at. So no constraint of the schedule on that operation
// holds it. After the handler it arrives there again.
void turn_to_handler(Pending& p) { p.constrained = false; }

// Other threads count on the waiter: it must not leave its operation.
bool holds_on(const Pending& p) {
  if (p.may_go == nullptr) return false;
  const AfterHandler after = after_handler(p.kind);
  return after == AfterHandler::wakes || after == AfterHandler::not_in_between;
}

// The second half of a wait: the first one has let others go on, and they must find the waiter.
bool is_second_half(const OpSpec& spec) { return spec.kind == Kind::cond_wake || (spec.kind == Kind::futex_wait && spec.may_go != nullptr); }

// One seed in so many lets alarms come early, and then before one operation in so many.
constexpr uint64_t kAlarmSubject = 0xA1A53;
constexpr uint32_t kSeedsToHurry = 4, kOperationsToHurry = 16;

bool hurries(const OpSpec& spec) {
  const Engine& e = engine();
  return !e.assumes(kPatientTimeouts) && mix(e.schedule().seed, kAlarmSubject) % kSeedsToHurry == 0 && engine().draw(spec, 2, kOperationsToHurry - 1) != 0;
}

bool takes_alarms(const Thread& t) {
  const uint64_t elsewhere = t.blocked_signals | t.suspended_for;
  return t.main && (elsewhere & signal_bit(SIGALRM)) == 0 && g_handlers.run != nullptr && g_handlers.handles(SIGALRM);
}

// An interval timer may ring without end while all threads are blocked. What its handler has not done in so many rounds, it never does.
constexpr uint32_t kVainAlarms = 1024;

// When the alarm comes to the thread.
uint64_t alarm_of(const Thread& t) {
  if (!takes_alarms(t) || engine().rounds_in_known_places(t.op) >= kVainAlarms) return kNever;
  return alarm_due_for(signal_bit(SIGALRM));
}

// The thread is about to make an operation of this kind, or waits in it.
void expect_alarm(Thread& t, Kind kind) {
  t.rings_at = alarm_of(t);
  t.wakes_for_itself = after_handler(kind) == AfterHandler::not_in_between ? kNever : t.rings_at;
}

// True: the operation whose turn has come is withdrawn.
bool handlers_before(Thread& t, const OpSpec& spec, Pending& p) {
  if (p.timed_out && after_handler(p.kind) == AfterHandler::wakes && t.own_deadline > engine().now()) {
    watch_over(t, spec, p);
    wake_without_cause(p);
    go_first(t, spec, p, false);
    return true;
  }
  if (holds_on(p)) return false;
  const bool parked = p.may_go != nullptr && spec.may_go == nullptr;
  if (p.timed_out) watch_over(t, spec, p);
  if (p.timed_out || parked) return end_wait(t, spec, p);
  if (comes_later(p)) return false;
  go_first(t, spec, p, could_be_late(p));
  return true;
}

bool interrupt(Thread& t, const OpSpec& spec, Pending* chosen) {
  if (spec.kind == Kind::signal_handle) return false;  // no handler comes between a handler and the signal for it
  const bool arrives = chosen == nullptr;
  if (takes_alarms(t)) alarm_rings_for(t, arrives && hurries(spec));
  bool again = false;
  if (due(t) != 0) {
    if (!arrives) again = handlers_before(t, spec, *chosen);
    else if (!is_second_half(spec)) run_handlers(t, spec.place);
  }
  if (arrives) expect_alarm(t, spec.kind);
  if (!again) cancel_if_due(t, spec, chosen);
  return again;
}

}  // namespace

bool wakes_for_handler() { return due(*current_thread()) != 0 && current_thread()->interrupt != nullptr; }

void handlers_come_first(Place place) {
  Thread& t = *current_thread();
  if (t.interrupt != nullptr && g_handlers.run != nullptr && due(t) != 0) run_handlers(t, place);
}

bool was_interrupted(uint32_t* event) {
  Thread& t = *current_thread();
  if (__builtin_expect(!t.interrupted, 1)) return false;
  t.interrupted = false;
  if (event != nullptr) *event = t.interrupted_event;
  return true;
}

bool handler_ends_wait(const OpSpec& spec, Pending& p) {
  Thread& t = *current_thread();
  if (__builtin_expect(t.interrupt == nullptr, 1) || due(t) == 0) return false;
  if (end_wait(t, spec, p)) engine().arrive(spec);
  return true;
}

void handler_is_due(Thread& t, const Handlers& handlers) {
  g_handlers = handlers;
  interrupt_soon(t);
  Pending& p = t.op;
  if (t.in_operation) return;
  if (p.may_go == nullptr) {
    if (p.kind != Kind::thread_start && !comes_later(p)) turn_to_handler(p);
    return;
  }
  // An operation that could go now may have to wait when its turn comes.
  switch (after_handler(p.kind)) {
    case AfterHandler::not_in_between: return;
    case AfterHandler::wakes:
      if (!p.enabled) wake_without_cause(p);
      return;
    default:
      if (!fails_by_handler(t, p) && !(p.enabled && comes_later(p))) turn_to_handler(p);
      end_wait_early(p);
  }
}

bool signals_interrupt_again(Kind kind) {
  Thread& t = *current_thread();
  const uint64_t signals = std::exchange(t.suspended_for, 0);
  if (signals != 0 && t.interrupt == interrupt) expect_alarm(t, kind);
  return ((process_signals() | t.pending_signals) & signals) != 0;
}

void alarm_may_interrupt(Thread& main, const Handlers& handlers) {
  g_handlers = handlers;
  interrupt_soon(main);
}

void alarm_has_changed(Thread& main) {
  if (&main == current_thread() || main.interrupt != interrupt) return;
  expect_alarm(main, main.op.kind);
  engine().wake_for_itself(main, main.wakes_for_itself);
}

void watchdog_ends_program() {
  if (!g_watched.any || current_thread() == nullptr || g_watched.execution != engine().begun()) return;
  const Thread& t = *current_thread();
  if (!t.main || reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >= g_watched.frame || !engine().others_are_blocked(t)) return;
  g_watched.any = false;
  set_alarm({kNever, 0});
  engine().arrive(g_watched.wait);
}

void interrupt_soon(Thread& t) { t.interrupt = interrupt; }

// As if its time had come.
void end_wait_early(Pending& p) {
  p.may_time_out_early = true;
  p.deadline = std::min(p.deadline, engine().now());
  engine().wake(p);
}

}  // namespace heddle::rt::primitives
