#include "engine/stand_still.h"

#include <algorithm>

#include "base/reserved_array.h"
#include "engine/engine.h"
#include "schema/ends_wait.h"

namespace heddle::rt {
namespace {

constexpr int kLongest = 64;
// A thread that polls may do something else in each hundredth or thousandth round. After main has returned there is less time.
constexpr uint32_t kRoundsOfService = 4096, kRoundsAfterMain = kLeastRoundsOfService;

// Who waits with a time limit may leave, and let one that waits behind it go first.
bool some_leave(const Object& o) {
  for (const Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
    if (p->deadline != kNever) return true;
  }
  return false;
}

// The thread that it waits for; null: not a certain one. REQUIRES: it is blocked.
const Thread* awaited(const Pending& p) {
  if (p.object == nullptr || !kind_info(p.kind).has(kBlocks)) return nullptr;
  const Object& o = *p.object;
  if (o.family == Family::thread) return reinterpret_cast<const Thread*>(o.address);
  return family_info(o.family).has(kOwned) && o.holder != 0 ? &engine().thread(o.holder - 1) : nullptr;
}

// The op of that thread; null: it may go on.
const Pending* next_in_cycle(const Pending& p) {
  const Thread* const next = is_blocked(p) ? awaited(p) : nullptr;
  return next != nullptr && next->state == ThreadState::live ? &next->op : nullptr;
}

// Nobody who waits with a time limit can let the cycle's threads go on.
bool is_closed(const Pending& start) {
  const Pending* p = &start;
  do {
    if (p->object->family != Family::thread && some_leave(*p->object)) return false;
    p = next_in_cycle(*p);
  } while (p != &start);
  return true;
}

// By thread, and by object: something may still happen there.
enum Hope : uint8_t { kNone, kService, kAny };
constinit ReservedArray<uint8_t> g_hopeful_threads, g_hopeful_objects;

void begin_hope() {
  g_hopeful_threads.reserve(Engine::kMaxThreads);
  g_hopeful_objects.reserve(Recorder::kMaxObjects);
  std::fill_n(g_hopeful_threads.data(), engine().thread_count(), uint8_t{kNone});
  std::fill_n(g_hopeful_objects.data(), recorder().objects.size(), uint8_t{kNone});
}

bool select_has_hope(uint32_t thread) {
  return std::any_of(recorder().select_cases.begin(), recorder().select_cases.end(),
                     [=](const SelectCase& s) { return s.event == (Recorder::kWaiting | thread) && g_hopeful_objects[s.object] != kNone; });
}

bool has_hope(const Pending& p) {
  if (p.kind == Kind::select) return select_has_hope(p.thread_index);
  if (p.object == nullptr) return true;
  const Thread* const other = awaited(p);
  return other != nullptr ? g_hopeful_threads[other->index] != kNone : g_hopeful_objects[p.object->index] != kNone;
}

bool main_has_hope(std::span<Pending* const> live) {
  begin_hope();
  // What a service does not do in thousands of rounds, it never does.
  for (const Pending* p : live) g_hopeful_threads[p->thread_index] = is_blocked(*p) ? kNone : kService;
  for (bool more = true; more;) {
    more = false;
    for (const Event& e : recorder().events) {
      const uint8_t hope = g_hopeful_threads[e.thread];
      if (e.object != 0 && (hope == kAny || (hope == kService && may_end_wait(e.kind)))) g_hopeful_objects[e.object] = kAny;
    }
    for (const SelectCase& s : recorder().select_cases) {
      if (s.object != 0 && s.event < recorder().events.size()) {
        if (g_hopeful_threads[recorder().events[s.event].thread] != kNone) g_hopeful_objects[s.object] = kAny;
      }
    }
    for (const Pending* p : live) {
      uint8_t& hopeful = g_hopeful_threads[p->thread_index];
      if (hopeful != kNone || !has_hope(*p)) continue;
      hopeful = kAny;
      more = true;
    }
  }
  return g_hopeful_threads[0] != kNone;
}

// How often the time of a thread's waits has come since any thread was last at a new place.
struct Rounds {
  uint64_t execution;
  uint32_t since;
  uint32_t count;
};
constinit ReservedArray<Rounds> g_rounds;

bool others_are_services(std::span<Pending* const> live, uint32_t since, uint32_t least) {
  return std::all_of(live.begin(), live.end(), [=](const Pending* p) { return is_blocked(*p) || rounds_of(*p, since) >= least; });
}

}  // namespace

bool is_blocked(const Pending& p) { return !p.enabled && p.deadline == kNever && !p.prefers && !p.asks_at_end; }

bool wait_in_cycle(std::span<Pending* const> live) {
  for (const Pending* start : live) {
    const Pending* p = next_in_cycle(*start);
    for (int length = 1; p != nullptr && length <= kLongest; ++length) {
      if (p == start && is_closed(*start)) return true;
      p = next_in_cycle(*p);
    }
  }
  return false;
}

void time_has_come(const Pending& p, uint32_t since) {
  g_rounds.reserve(Engine::kMaxThreads);
  Rounds& rounds = g_rounds[p.thread_index];
  const uint64_t execution = engine().begun();
  if (rounds.execution != execution || rounds.since != since) rounds = {execution, since, 0};
  ++rounds.count;
}

uint32_t rounds_of(const Pending& p, uint32_t since) {
  if (g_rounds.capacity() == 0) return 0;
  const Rounds& rounds = g_rounds[p.thread_index];
  return rounds.execution == engine().begun() && rounds.since == since ? rounds.count : 0;
}

bool only_services_go_on(std::span<Pending* const> live, uint32_t since) { return others_are_services(live, since, kRoundsOfService); }

bool main_polls_in_vain(std::span<Pending* const> live) {
  return std::any_of(live.begin(), live.end(), [](const Pending* p) { return p->owner->main && p->owner->stale_sleeps >= kRoundsOfService; });
}

bool main_may_go_on(std::span<Pending* const> live) { return recorder().full() || main_has_hope(live); }

bool services_are_left(std::span<Pending* const> live, uint32_t since) {
  const bool any_blocked = std::any_of(live.begin(), live.end(), [](const Pending* p) { return is_blocked(*p); });
  return any_blocked && !recorder().full() && others_are_services(live, since, kRoundsAfterMain);
}

}  // namespace heddle::rt
