#include "analyses/report/operation_text.h"
#include "analyses/wait_graph.h"

#include "analyses/end_state.h"
#include "analyses/library_semaphore.h"
#include "analyses/report/values.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constinit uint32_t g_waiting[WaitGraph::kMost] = {};  // threads
constinit bool g_reaches[WaitGraph::kMost][WaitGraph::kMost] = {};

// A channel on which a thread waits.
struct Side {
  uint32_t channel;
  bool sends, receives;
};

constexpr uint32_t kMostCases = 64;

struct Sides {
  Side side[kMostCases];
  uint32_t count = 0;

  void add(uint32_t channel, bool sends, bool receives) {
    if (channel != 0 && count < kMostCases) side[count++] = {channel, sends, receives};
  }
  // Would this operation be the other side?
  bool meet(uint32_t channel, bool sends, bool receives) const {
    for (uint32_t i = 0; i < count; ++i) {
      if (side[i].channel == channel && ((side[i].sends && receives) || (side[i].receives && sends))) return true;
    }
    return false;
  }
};

Sides sides_of(const RunSummary& run, uint32_t wait) {
  const Event& w = run.events[wait];
  Sides sides;
  if (w.kind == Kind::channel_send || w.kind == Kind::channel_receive) sides.add(w.object, w.kind == Kind::channel_send, w.kind == Kind::channel_receive);
  for (uint32_t c = 0; w.kind == Kind::select && c < run.select_case_count; ++c) {
    const SelectCase& s = run.select_cases[c];
    const auto direction = static_cast<CaseDirection>(s.direction);
    if (s.event == wait) sides.add(s.object, direction == CaseDirection::send, direction == CaseDirection::receive);
  }
  return sides;
}

// What ends a wait of this kind.
bool ends_wait(Kind wait, Kind kind) {
  switch (wait) {
    case Kind::cond_wake: return kind == Kind::cond_signal || kind == Kind::cond_broadcast;
    case Kind::semaphore_wait: return kind == Kind::semaphore_post;
    case Kind::futex_wait: return kind == Kind::futex_wake;
    case Kind::barrier_leave: return kind == Kind::barrier_arrive;
    case Kind::descriptor_read:
    case Kind::descriptor_wait: return kind == Kind::descriptor_write || kind == Kind::signal_send;
    case Kind::descriptor_write: return kind == Kind::descriptor_read;
    case Kind::signal_wait: return kind == Kind::signal_send;
    default: return false;
  }
}

// done(): the count is less than before.
bool reduces(const RunSummary& run, uint32_t add) { return run.events[add].value < count_before(run, add); }

// The thread was created right after an addition to the group, as wait_group::go() does it: so it is the one to call done().
bool counted_by(const RunSummary& run, uint32_t thread, uint32_t group) {
  const uint32_t create = run.threads[thread].create_event;
  for (uint32_t i = create; create < run.event_count && i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread != run.events[create].thread || e.kind == Kind::thread_create || e.kind == Kind::thread_detach) continue;
    return e.object == group && e.kind == Kind::wait_group_add && !reduces(run, i);
  }
  return false;
}

// Calls visit(event) for the operations of other threads that do what the unfinished operation waits for.
template <typename Visit>
void each_other_side(const RunSummary& run, uint32_t wait, Visit visit) {
  const Event& w = run.events[wait];
  if (!on_channel(w.kind)) {
    for (uint32_t i = 0; w.object != 0 && i < run.event_count; ++i) {
      const Event& e = run.events[i];
      if (e.thread == w.thread || e.object != w.object || !e.finished()) continue;
      if (w.kind == Kind::wait_group_wait ? e.kind == Kind::wait_group_add && reduces(run, i) : ends_wait(w.kind, e.kind)) visit(i);
    }
    return;
  }
  const Sides sides = sides_of(run, wait);
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    // Closing a channel ends receives. A send there is a misuse.
    const bool sends = e.kind == Kind::channel_send || e.kind == Kind::channel_close, receives = e.kind == Kind::channel_receive;
    if ((sends || receives) && e.thread != w.thread && sides.meet(e.object, sends, receives)) visit(i);
  }
  for (uint32_t c = 0; c < run.select_case_count; ++c) {
    const SelectCase& s = run.select_cases[c];
    if (s.event >= run.event_count || run.events[s.event].thread == w.thread) continue;
    const auto direction = static_cast<CaseDirection>(s.direction);
    if (sides.meet(s.object, direction == CaseDirection::send, direction == CaseDirection::receive)) visit(s.event);
  }
}

}  // namespace

uint32_t last_other_side(const RunSummary& run, uint32_t wait, bool by_blocked) {
  uint32_t last = kNoEvent;
  each_other_side(run, wait, [&](uint32_t e) {
    if (run.events[e].finished() && (!by_blocked || is_blocked(run.threads[run.events[e].thread])) && (last == kNoEvent || e > last)) last = e;
  });
  return last;
}

bool alike(const RunSummary& run, uint32_t wait, uint32_t other) {
  const Event &a = run.events[wait], &b = run.events[other];
  return a.site == b.site && a.context == b.context && a.object == b.object && a.kind == b.kind;
}

uint32_t last_taker(const RunSummary& run, uint32_t wait) {
  const Event& w = run.events[wait];
  const bool posix = w.kind == Kind::semaphore_wait;
  if (!posix && (w.kind != Kind::futex_wait || !in_semaphore(run, wait))) return kNoEvent;
  const uintptr_t address = live_state().object_address(w.object);
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (!e.finished() || e.object == 0 || in_vain(e.outcome)) continue;
    if (posix) {
      if (e.object != w.object || e.thread == w.thread) continue;
      if (e.kind == Kind::semaphore_wait || e.kind == Kind::semaphore_trywait) return i;
    } else if (address != 0 && kind_info(e.kind).has(kAtomic) && live_state().object_address(e.object) == address) {
      const EventValues* const v = recorder().values.of(i);
      const bool known = v != nullptr && (v->known & EventValues::kRead) != 0 && (v->known & EventValues::kStored) != 0;
      if (known && static_cast<int32_t>(v->stored) < static_cast<int32_t>(v->read)) return e.thread != w.thread ? i : kNoEvent;
    }
  }
  return kNoEvent;
}

WaitGraph::WaitGraph(const RunSummary& run, const uint32_t* waits) : run_(run), waits_(waits) {
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    if (waits[t] == kNoEvent) continue;
    if (count_ == kMost) {
      count_ = 0;
      return;
    }
    g_waiting[count_++] = t;
  }
  for (uint32_t a = 0; a < count_; ++a) {
    const uint32_t awaited = awaited_thread(run, waits[g_waiting[a]]);
    for (uint32_t b = 0; b < count_; ++b) g_reaches[a][b] = a == b || g_waiting[b] == awaited;
    if (awaited != kNoEvent) continue;
    const Event& wait = run.events[waits[g_waiting[a]]];
    for (uint32_t b = 0; wait.kind == Kind::wait_group_wait && b < count_; ++b) g_reaches[a][b] |= counted_by(run, g_waiting[b], wait.object);
    each_other_side(run, waits[g_waiting[a]], [&](uint32_t e) {
      const uint32_t b = place_of(run.events[e].thread);
      if (b != kNoEvent) g_reaches[a][b] = true;
    });
  }
  for (uint32_t via = 0; via < count_; ++via) {
    for (uint32_t a = 0; a < count_; ++a) {
      if (!g_reaches[a][via]) continue;
      for (uint32_t b = 0; b < count_; ++b) g_reaches[a][b] |= g_reaches[via][b];
    }
  }
}

uint32_t WaitGraph::place_of(uint32_t thread) const {
  for (uint32_t a = 0; a < count_; ++a) {
    if (g_waiting[a] == thread) return a;
  }
  return kNoEvent;
}

bool WaitGraph::waits_for(uint32_t thread, uint32_t other) const {
  const uint32_t a = place_of(thread), b = place_of(other);
  return a != kNoEvent && b != kNoEvent && g_reaches[a][b];
}

bool WaitGraph::is_cause(uint32_t thread) const {
  for (uint32_t a = 0; a < count_; ++a) {
    if (alike(run_, waits_[thread], waits_[g_waiting[a]]) && is_cause_itself(g_waiting[a])) return true;
  }
  return is_cause_itself(thread);
}

bool WaitGraph::is_cause_itself(uint32_t thread) const {
  const uint32_t awaited = awaited_thread(run_, waits_[thread]);
  if (awaited != kNoEvent && is_blocked(run_.threads[awaited])) return false;
  const uint32_t a = place_of(thread);
  if (a == kNoEvent) return true;
  for (uint32_t b = 0; b < count_; ++b) {
    if (g_reaches[a][b] && !g_reaches[b][a]) return false;
  }
  return true;
}

}  // namespace heddle::rt
