#include "primitives/wait_group.h"

#include "base/asan.h"
#include "primitives/panic.h"
#include "races/race_detector.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint32_t kNone = 0;

// An addition that began a round (the count was zero), or a wait. Each thread has at most one of each in the list of a group: the latest.
struct Use {
  uint32_t next;  // index; kNone
  uint32_t thread;
  uint32_t epoch;
  uint32_t event;
  bool waits;
};

struct WaitGroupState {
  uint32_t zero_event;  // the addition that brought the count to zero
  uint32_t uses;        // of its list, the first one's index; kNone
};

constexpr uint32_t kMostUses = 4096;  // those beyond are not looked at
constinit Use g_uses[kMostUses] = {};
constinit uint32_t g_use_count = 1;  // kNone is not used
constinit uint64_t g_uses_of = 0;    // the execution

int64_t& count_of(const Object& o) { return *reinterpret_cast<int64_t*>(o.address); }

bool is_zero(const Pending& p) { return count_of(*p.object) == 0; }

Object& wait_group_object(int64_t* count, Place place) {
  asan_check(count, sizeof *count, false, place.pc, place.frame);
  Object& o = engine().object(reinterpret_cast<uintptr_t>(count), Family::wait_group, place);
  if (!o.modelled) {
    o.modelled = true;
    o.as<WaitGroupState>() = {.zero_event = kNoEvent, .uses = kNone};
  }
  return o;
}

void begin_uses() {
  if (g_uses_of == engine().begun()) return;
  g_uses_of = engine().begun();
  g_use_count = 1;
}

// The first one of the other sort, by another thread, that is in no order with what the current thread does now; null.
const Use* unordered(const Object& o, bool waits) {
  const uint32_t self = current_thread()->index;
  for (uint32_t i = const_cast<Object&>(o).as<WaitGroupState>().uses; i != kNone; i = g_uses[i].next) {
    const Use& use = g_uses[i];
    if (use.waits != waits && use.thread != self && !race_detector_in_past(use.thread, use.epoch, self)) return &use;
  }
  return nullptr;
}

// To be called before the operation's event is committed, whose number is to be told later.
Use* note_use(Object& o, bool waits) {
  const uint32_t self = current_thread()->index;
  uint32_t& first = o.as<WaitGroupState>().uses;
  uint32_t i = first;
  while (i != kNone && (g_uses[i].thread != self || g_uses[i].waits != waits)) i = g_uses[i].next;
  if (i == kNone) {
    if (g_use_count == kMostUses) return nullptr;
    i = g_use_count++;
    g_uses[i] = {.next = first, .thread = self, .epoch = 0, .event = kNoEvent, .waits = waits};
    first = i;
  }
  g_uses[i].epoch = race_detector_epoch(self);
  return &g_uses[i];
}

// An addition that begins a round must come before each wait, or after it has returned ("WaitGroup misuse" in Go). Only the clocks of a watched
// execution can tell. Orders that are not watched have been judged before.
Use* check_use(Object& o, bool waits, Place place) {
  if (!race_detector_watches()) return nullptr;
  begin_uses();
  if (const Use* other = unordered(o, waits)) {
    engine().misuse(FindingType::wait_group_misuse, &o, place, kNoEvent, other->event,
                    waits ? "add() before the thread starts that it counts: this wait() could have come before the add()"
                          : "add() before the thread starts that it counts: the wait() may return too early");
  }
  return note_use(o, waits);
}

}  // namespace

bool wait_group_add(int64_t* count, int64_t delta, Place place) {
  Object& o = wait_group_object(count, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::wait_group_add, .object = &o, .place = place});
  const bool negative = delta < 0 && *count + delta < 0;
  if (negative) {
    panic(FindingType::negative_wait_group, &o, place);
    e.commit(p, {.outcome = Outcome::failure, .value = static_cast<uint32_t>(*count), .stored = false});
    return false;
  }
  Use* const use = *count == 0 && delta > 0 ? check_use(o, false, place) : nullptr;
  *count += delta;
  const uint32_t event = e.commit(p, {.value = static_cast<uint32_t>(*count), .news = true});
  if (use != nullptr) use->event = event;
  if (*count == 0) o.as<WaitGroupState>().zero_event = event;
  return true;
}

void wait_group_wait(int64_t* count, Place place) {
  Object& o = wait_group_object(count, place);
  Pending& p = engine().arrive({.kind = Kind::wait_group_wait, .object = &o, .place = place, .may_go = is_zero});
  Use* const use = check_use(o, true, place);
  const uint32_t event = engine().commit(p, {.partner = o.as<WaitGroupState>().zero_event, .stored = false});
  if (use != nullptr) use->event = event;
}

}  // namespace heddle::rt::primitives
