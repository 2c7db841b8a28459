#include "primitives/interruption.h"

#include <signal.h>

#include <algorithm>

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

AfterHandler after_handler(const Pending& p) {
  switch (p.kind) {
    case Kind::mutex_lock:
    case Kind::mutex_timedlock:
    case Kind::rwlock_rdlock:
    case Kind::rwlock_wrlock:
    case Kind::thread_join:
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
}

// Of the signals that are due, one without SA_RESTART.
bool one_fails(const Thread& t) {
  for (uint64_t signals = due(t); signals != 0; signals &= signals - 1) {
    if (!g_handlers.restarts(__builtin_ctzll(signals) + 1)) return true;
  }
  return false;
}

// The handlers come before an operation whose turn has come, or that has waited. The next handler may end it then.
void go_first(Thread& t, const OpSpec& spec, Pending& p, bool could_be_late) {
  engine().withdraw(p);
  run_handlers(t, spec.place, could_be_late);
  engine().arrive(spec);
}

// A handler that runs in the operation's wait ends the operation.
bool fails_by_handler(const Thread& t, const Pending& p) {
  const AfterHandler after = after_handler(p);
  return after == AfterHandler::fails || (after == AfterHandler::by_action && one_fails(t));
}

// The thread's wait was ended for a handler, or has ended just when one is due.
void end_wait(Thread& t, const OpSpec& spec, Pending& p) {
  if (!fails_by_handler(t, p)) return go_first(t, spec, p, false);
  const uint32_t event = engine().commit(p, {.outcome = Outcome::interrupted, .stored = false, .news = true});
  run_handlers(t, spec.place);
  t.interrupted = true;
  t.interrupted_event = event;
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
  const AfterHandler after = after_handler(p);
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

void take_alarm(Thread& t, const OpSpec& spec, bool arrives) {
  const uint64_t elsewhere = t.blocked_signals | t.suspended_for;
  if (!t.main || (elsewhere & signal_bit(SIGALRM)) != 0 || !g_handlers.handles(SIGALRM)) return;
  alarm_rings_for(t, arrives && hurries(spec));
}

void interrupt(Thread& t, const OpSpec& spec, Pending* chosen) {
  if (g_handlers.run != nullptr) take_alarm(t, spec, chosen == nullptr);
  if (due(t) != 0) {
    if (chosen == nullptr) {
      if (!is_second_half(spec)) run_handlers(t, spec.place);
    } else if (!holds_on(*chosen)) {
      const bool parked = chosen->may_go != nullptr && spec.may_go == nullptr;
      if (chosen->timed_out || parked) end_wait(t, spec, *chosen);
      else if (!comes_later(*chosen)) go_first(t, spec, *chosen, could_be_late(*chosen));
    }
  }
  cancel_if_due(t, spec, chosen);
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
  end_wait(t, spec, p);
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
  switch (after_handler(p)) {
    case AfterHandler::not_in_between: return;
    case AfterHandler::wakes:
      if (p.enabled) return;
      if (p.kind == Kind::cond_wake) cond_wake_without_cause(p);
      else futex_wake_without_cause(p);
      return;
    default:
      if (!fails_by_handler(t, p) && !(p.enabled && comes_later(p))) turn_to_handler(p);
      end_wait_early(p);
  }
}

void alarm_may_interrupt(Thread& main, const Handlers& handlers) {
  g_handlers = handlers;
  interrupt_soon(main);
}

void interrupt_soon(Thread& t) { t.interrupt = interrupt; }

// As if its time had come.
void end_wait_early(Pending& p) {
  p.may_time_out_early = true;
  p.deadline = std::min(p.deadline, engine().now());
  engine().wake(p);
}

}  // namespace heddle::rt::primitives
