#include "primitives/signal_wait.h"

#include <signal.h>

#include <algorithm>

#include "base/reserved_array.h"
#include "primitives/descriptor.h"
#include "primitives/interruption.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

struct ProcessSignals {
  uint64_t execution;
  uint64_t pending;
  Alarm alarm;
};
constinit ProcessSignals g_process = {};

// Real-time signals behind a pending one of the same number and receiver.
struct Queued {
  Thread* to;
  int number;
};
constexpr size_t kMostQueued = 1 << 16;  // beyond that they are dropped, as those above a limit of the kernel
constinit ReservedArray<Queued> g_queued;

// Signals that no thread has taken yet, and where each was sent.
struct Sent {
  Thread* to;  // null: to the process
  int number;
  uint32_t event;
};
constinit ReservedArray<Sent> g_sent;

ProcessSignals& process() {
  const uint64_t now = engine().begun();
  if (g_process.execution != now) {
    g_process = {now, 0, {kNever, 0}};
    g_queued.clear();
    g_sent.clear();
  }
  return g_process;
}

uint64_t& pending_of(Thread* to) { return to != nullptr ? to->pending_signals : process().pending; }

// So late a busy machine can be, in ns. A watchdog that ends a program after a minute is not called for that.
constexpr uint64_t kBusyMachine = 5'000'000'000;

uint64_t due(const Pending& p) { return p.detail & (p.owner->pending_signals | process_signals()); }

bool is_due(const Pending& p) { return due(p) != 0; }

void note_sent(Thread* to, int number, uint32_t event) {
  g_sent.reserve(kMostQueued);
  if (!g_sent.full()) g_sent.push() = {to, number, event};
}

void tell_main() {
  for (uint32_t i = 0; i < engine().thread_count(); ++i) {
    if (engine().thread(i).main) alarm_has_changed(engine().thread(i));
  }
}

// The alarm expires: the signal is pending, and an interval timer starts again.
void ring(Engine& e, uint64_t& pending) {
  Alarm& alarm = process().alarm;
  if (alarm.due > e.now()) e.advance_time(alarm.due - e.now());  // it came early
  pending |= signal_bit(SIGALRM);
  alarm.due = alarm.interval != 0 ? e.now() + alarm.interval : kNever;
  tell_main();
}

}  // namespace

Object& signals_object(Place place) {
  Object& o = engine().object(reinterpret_cast<uintptr_t>(&g_process), Family::signals, place);
  o.modelled = true;
  o.label = "a signal";
  return o;
}

uint64_t process_signals() { return process().pending; }

void add_pending_signal(Thread* to, int number) {
  process();
  uint64_t& pending = pending_of(to);
  if ((pending & signal_bit(number)) != 0 && number >= SIGRTMIN) {
    g_queued.reserve(kMostQueued);
    if (!g_queued.full()) g_queued.push() = {to, number};
  }
  pending |= signal_bit(number);
}

void take_pending_signal(Thread* from, int number) {
  process();
  const auto more = std::find_if(g_queued.begin(), g_queued.end(), [=](const Queued& q) { return q.to == from && q.number == number; });
  if (more == g_queued.end()) {
    pending_of(from) &= ~signal_bit(number);
    return;
  }
  std::copy(more + 1, g_queued.end(), more);
  g_queued.resize(g_queued.size() - 1);
}

uint32_t take_sent(Thread* by, int number) {
  uint32_t event = kNoEvent;
  const bool queues = number >= SIGRTMIN;
  size_t kept = 0;
  for (const Sent& sent : g_sent) {
    const bool taken = sent.number == number && (sent.to == by || sent.to == nullptr) && !(queues && event != kNoEvent);
    if (!taken) g_sent[kept++] = sent;
    else if (event == kNoEvent) event = sent.event;
  }
  g_sent.resize(kept);
  return event;
}

Alarm set_alarm(const Alarm& alarm) {
  const Alarm before = process().alarm;
  process().alarm = alarm;
  tell_main();
  // Threads that already wait get the new deadline, too.
  const Object* const o = engine().find_object(reinterpret_cast<uintptr_t>(&g_process));
  for (Pending* p = o != nullptr ? o->pending_head : nullptr; p != nullptr; p = p->owner->next_pending) {
    if ((p->detail & signal_bit(SIGALRM)) != 0 && alarm.due < p->deadline) Engine::wait_until(*p, alarm.due);
  }
  signal_files_changed();
  return before;
}

Alarm current_alarm() { return process().alarm; }

void alarm_rings_for(Thread& t, bool early) {
  const uint64_t due = process().alarm.due, now = engine().now();
  const uint64_t reach = early ? kBusyMachine : 0;
  if (due != kNever && due <= now + reach) ring(engine(), t.pending_signals);
}

void alarm_rings_for_process() {
  if (process().alarm.due <= engine().now()) ring(engine(), process().pending);
}

uint64_t alarm_due_for(uint64_t set) { return (set & signal_bit(SIGALRM)) != 0 ? process().alarm.due : kNever; }

void signal_send(Thread* to, int number, Place place) {
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::signal_send, .object = &signals_object(place), .place = place});
  add_pending_signal(to, number);
  note_sent(to, number, e.commit(p, {.value = static_cast<uint32_t>(number)}));
  signal_files_changed();
}

void signal_expect(Place place) {
  Engine& e = engine();
  e.commit(e.arrive({.kind = Kind::signal_expect, .object = &signals_object(place), .place = place}), {});
}

void signal_handle(int number, Place place, bool could_be_late) {
  Engine& e = engine();
  const uint32_t sent = take_sent(current_thread(), number);
  e.commit(e.arrive({.kind = Kind::signal_handle, .object = &signals_object(place), .place = place}),
           {.outcome = could_be_late ? Outcome::success : Outcome::none, .value = static_cast<uint32_t>(number), .partner = sent});
}

int signal_wait(uint64_t set, uint64_t deadline, Place place) {
  Engine& e = engine();
  Thread& t = *current_thread();
  OpSpec spec{.kind = Kind::signal_wait, .object = &signals_object(place), .place = place, .may_go = is_due,
              .deadline = std::min(deadline, alarm_due_for(set)), .detail = set};
  bool preferred = false;
  if (spec.deadline != kNever) spec.may_time_out_early = draws_early_timeout(spec, preferred);
  Pending& p = e.arrive(spec);
  const uint8_t flags = preferred ? kEventPreferred : 0;
  // The alarm may have woken another thread, or another thread may have set it again. Then it has not expired.
  if (p.timed_out && alarm_due_for(set) <= p.deadline) ring(e, process().pending);
  if (p.timed_out && due(p) == 0) {
    const bool over = p.deadline == deadline;
    e.commit(p, {.outcome = Outcome::timeout, .choice = 1, .flags = flags, .stored = false});
    return over ? 0 : signal_wait(set, deadline, place);
  }
  const int number = __builtin_ctzll(due(p)) + 1;
  take_pending_signal((t.pending_signals & signal_bit(number)) != 0 ? &t : nullptr, number);
  e.commit(p, {.outcome = deadline != kNever ? Outcome::success : Outcome::none, .value = static_cast<uint32_t>(number), .partner = take_sent(&t, number), .flags = flags});
  return number;
}

}  // namespace heddle::rt::primitives
