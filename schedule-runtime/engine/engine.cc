// An operation from arrival to commitment.
#include "engine/engine.h"

#include <algorithm>

#include "base/asan.h"
#include "engine/note_values.h"
#include "engine/stand_still.h"
#include "engine/wait_for_parent.h"
#include "races/race_detector.h"
#include "races/recent_accesses.h"
#include "races/touch.h"
#include "trace/finding.h"
#include "trace/look.h"
#include "trace/run_notes.h"

namespace heddle::rt {

constinit thread_local Thread* tls_thread = nullptr;
constinit thread_local PlainGate tls_gate;

constinit Engine g_engine;

namespace {

// After so many choices in a row among spinners alone, what they only read again is no longer recorded, and counts no steps. So the size of the record
// does not limit loops that look a million times before they block.
constexpr uint32_t kRecordedLooks = 1 << 16;

// The operation has taught its thread nothing, and nothing has happened for long.
bool looks_in_vain(const Pending& p, const Commit& how, uint32_t stale_choices) {
  return stale_choices > kRecordedLooks && p.owner->stale_ops != 0 && is_look(p.kind, how.outcome, how.unchanged) && !graph::active();
}

}  // namespace

// --- arriving at an operation -----------------------------------------------------------------

uint32_t Engine::next_occurrence(uint64_t key) {
  bool inserted;
  return ++occurrences_.find_or_insert(key, inserted);
}

void Engine::fill(Pending& p, Thread& t, const OpSpec& spec) {
  t.frames = t.outer_frame != 0 ? t.outer_frame : spec.place.frame;
  const Spot& spot = spot_of(t, spec.place);
  p.site = spot.id;
  p.pc_index = spot.site;
  p.position = spot.position;
  p.context_node = spot.context;
  p.context = spot.context_hash;
  p.kind = spec.kind;
  p.order = spec.order;
  p.object = spec.object;
  const bool some_object = __builtin_expect(spec.object != nullptr, 1);
  p.object_id = some_object ? spec.object->id : kAnyObject;
  p.object_index = some_object ? spec.object->index : 0;
  p.may_go = spec.may_go;
  p.deadline = spec.deadline;
  p.detail = spec.detail;
  p.may_time_out_early = spec.may_time_out_early;
  p.timed_out = false;
  p.prefers = spec.prefers;
  p.asks_at_end = false;
  p.gave_up = p.asked_at_end = false;
  p.event_flags = 0;
  p.priority = 0;
  p.redraws = 0;
  p.held_version = 0;
  p.decision = 0;
  const uint64_t here = mix(t.id, p.site);
  p.occurrence = next_occurrence(occurrence_key(here, p.kind));
  if (p.occurrence == 1) windows_.new_place(steps_, now_);
  p.identity = mix(here, static_cast<uint64_t>(p.occurrence) << 8 | static_cast<uint8_t>(p.kind));
}

void Engine::set_ready(Pending& p, bool ready) {
  p.enabled = ready;
  int32_t& slot = ready_slots_[p.thread_index];
  if (ready == (slot >= 0)) return;
  if (ready) {
    slot = static_cast<int32_t>(ready_.size());
    ready_.push() = &p;
  } else {
    Pending* last = ready_[ready_.size() - 1];
    ready_[slot] = last;
    ready_slots_[last->thread_index] = slot;
    ready_.resize(ready_.size() - 1);
    slot = -1;
  }
}

void Engine::link(Pending& p) {
  Thread& t = *p.owner;
  t.previous_pending = nullptr;
  t.next_pending = p.object->pending_head;
  if (t.next_pending != nullptr) t.next_pending->owner->previous_pending = &p;
  p.object->pending_head = &p;
  t.linked = true;
}

void Engine::unlink(Pending& p) {
  Thread& t = *p.owner;
  if (t.previous_pending != nullptr) t.previous_pending->owner->next_pending = t.next_pending;
  else p.object->pending_head = t.next_pending;
  if (t.next_pending != nullptr) t.next_pending->owner->previous_pending = t.previous_pending;
  t.linked = false;
}

// Whether an op can go depends only on its object and on time. So after a change of the object, its pending ops are asked again.
[[gnu::noinline]] void Engine::reconsider(Object& o) {
  for (Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
    const bool ready = p->may_go(*p) || p->may_time_out_early || p->deadline <= now_;
    if (!ready) p->event_flags |= kEventContended;
    set_ready(*p, ready);
  }
}

// Posts an op that may have to wait.
[[gnu::noinline]] void Engine::post_waiting(Pending& p) {
  const bool can_go = p.may_go(p);
  if (!can_go) p.event_flags |= kEventContended;
  wait_until(p, p.deadline);
  if (p.object != nullptr) link(p);
  set_ready(p, can_go || p.may_time_out_early || p.deadline <= now_);
}

[[gnu::noinline]] void Engine::set_aside(Pending& p) {
  p.idle = true;
  ++idle_count_;
  p.owner->news_seen = news_;
}

void Engine::post(Pending& p) {
  p.req = ++steps_;
  if (__builtin_expect(p.may_go == nullptr, 1)) set_ready(p, true);
  else post_waiting(p);
  const bool spins = p.owner->stale_ops >= p.owner->spin_threshold;
  if (__builtin_expect(spins, 0)) turns_on_news();
  p.idle = false;
  p.constrained = enforcement_.active() && enforcement_.concerns(p);
  if (__builtin_expect(spins || (kind_info(p.kind).has(kYields) && p.may_go == nullptr), 0)) {
    if (!p.constrained || !enforcement_.wants(p)) set_aside(p);
  }
  if (strategy_->posted != nullptr) strategy_->posted(p);
}

[[gnu::noinline]] void Engine::chosen_in_vain(Pending& p) {
  refuse_wait_for_parent(p);
  // Giving up a preference is no time-out: it then waits for the rest of its time.
  const bool only_preferred = p.prefers && !p.may_time_out_early && p.deadline > now_;
  if (p.deadline == kNever || only_preferred) {
    p.gave_up = true;
    return;
  }
  p.timed_out = true;
  const bool early = p.deadline > now_ && p.kind != Kind::sleep && std::any_of(ready_.begin(), ready_.end(), [&](const Pending* q) { return q != &p && !q->idle; });
  now_ = std::max(now_, p.deadline);
  time_notes().add(static_cast<uint32_t>(recorder().events.size()), now_, early);
}

// No other thread runs from here to commit().
void Engine::chosen(Pending& p) {
  if (p.may_go != nullptr && !p.may_go(p)) chosen_in_vain(p);
  p.owner->in_operation = true;
}

namespace {

// The memory of a lock or a similar object is checked when the operation arrives, and again after its turn (kUsedInTurn). A condition variable may go
// as soon as its waiters are notified. Of an object that was destroyed, the caller says more. (ASan keeps freed memory, so its object is not forgotten.)
[[gnu::noinline]] void check_use_again(const Object& o, Kind kind, Place place) {
  if (!family_info(o.family).has(kUsedInTurn) || kind == Kind::cond_wake || o.destroyed) return;
  asan_check(reinterpret_cast<const void*>(o.address), 1, false, place.pc, place.frame);
  Engine::check_use(o.address, o.family, place);
}

}  // namespace

Pending& Engine::arrive(const OpSpec& spec) {
  Thread& t = *tls_thread;
  Pending& p = t.op;
  do {
    if (__builtin_expect(t.interrupt != nullptr, 0)) t.interrupt(t, spec, nullptr);
    fill(p, t, spec);
    post(p);
    Pending* next = choose_next();
    if (next != &p) {
      if (__builtin_expect(next == nullptr, 0)) end_run(end_reason_);
      switch_to(*next);
    }
    chosen(p);
  } while (__builtin_expect(t.interrupt != nullptr, 0) && t.interrupt(t, spec, &p));
  if (spec.object != nullptr && __builtin_expect(spec.object->forgotten || asan_linked(), 0)) check_use_again(*spec.object, spec.kind, spec.place);
  // A futex wake does not use the word's memory, which may already be freed. So futexes are not checked.
  if (spec.object != nullptr && fiber::may_be_stack(spec.object->address) && !family_info(spec.object->family).has(kBesideWord)) {
    check_stack_use(spec.object->address, spec.place, "uses", spec.object);
  }
  return p;
}

Pending& Engine::park(Pending& p, MayGo may_go, uint64_t deadline, bool early, bool prefers) {
  p.may_go = may_go;
  wait_until(p, deadline);
  p.may_time_out_early = early;
  p.prefers = prefers;
  p.gave_up = p.asked_at_end = false;
  p.timed_out = false;
  p.owner->in_operation = false;
  if (p.idle) {
    p.idle = false;
    --idle_count_;
  }
  p.event_flags |= kEventContended;
  set_ready(p, may_go(p) || early || p.deadline <= now_);
  Pending* next = choose_next();
  if (next != &p) {
    if (next == nullptr) end_run(end_reason_);
    switch_to(*next);
  }
  chosen(p);
  return p;
}

void Engine::wait_until(Pending& p, uint64_t deadline) {
  p.owner->own_deadline = deadline;
  p.deadline = std::min(deadline, p.owner->wakes_for_itself);
}

void Engine::wake_for_itself(Thread& t, uint64_t at) {
  t.wakes_for_itself = at;
  if (t.state != ThreadState::live || t.in_operation || t.op.may_go == nullptr) return;
  wait_until(t.op, t.own_deadline);
  wake(t.op);
}

uint32_t Engine::rounds_in_known_places(const Pending& p) const { return rounds_of(p, windows_.last_place()); }

bool Engine::others_are_blocked(const Thread& t) const {
  return std::all_of(live_.begin(), live_.end(), [&](const Pending* p) { return p->owner == &t || is_blocked(*p); });
}

void Engine::wake(Pending& p) {
  set_ready(p, p.may_go(p) || p.may_time_out_early || p.deadline <= now_);
}

void Engine::withdraw(Pending& p) {
  Thread& t = *p.owner;
  if (t.linked) unlink(p);
  set_ready(p, false);
  if (p.idle) {
    p.idle = false;
    --idle_count_;
  }
  t.in_operation = false;
  if (uint32_t* const passed = occurrences_.find(occurrence_key(mix(t.id, p.site), p.kind))) --*passed;
}

void Engine::settle_on(Pending& p, Object* o) {
  if (p.object != o && p.owner->linked) g_engine.unlink(p);
  p.object = o;
  p.object_id = o != nullptr ? o->id : kAnyObject;
  p.object_index = o != nullptr ? o->index : 0;
}

void Engine::move_to(Pending& p, Object& o) {
  if (p.object == &o) return;
  const bool was_linked = p.owner->linked;
  settle_on(p, &o);
  if (was_linked) link(p);
}

void Engine::switch_to(Pending& next) {
  fiber::switch_to(next.owner->fiber);
}

// --- committing -------------------------------------------------------------------------------

[[gnu::always_inline]] inline uint32_t Engine::record(const Pending& p, const Commit& how) {
  const bool watched = race_detector_watches();
  if (__builtin_expect(watched, 0)) recent_accesses().forget();
  if (__builtin_expect(recorder().full(), 0)) {
    recorder().summary.flags |= kRunTruncated;
    return kNoEvent;
  }
  const uint32_t done = ++steps_;
  const uint32_t index = recorder().add(p.context_node, p.position, [&](Event& e) {
    e = unfinished_event(p);
    e.done = done;
    e.partner = how.partner;
    e.value = how.value;
    e.choice = how.choice;
    e.outcome = how.outcome;
    e.flags |= how.flags;
  });
  const Event& e = recorder().events[index];
  if (__builtin_expect(watched, 0)) {
    race_detector_event(e, how.partner_thread, p.object != nullptr ? p.object->address : 0, how.bytes, p.owner->ignored.what,
                        how.source);
    if (kind_info(p.kind).has(kDropsLock) && p.object != nullptr) note_section(index, p.object->last_acquire_event);
  } else {
    // Which stores an operation may read depends on happens-before.
    if (graph::active()) race_detector_order(e, how.partner_thread, p.owner->ignored.what, how.source);
    if (kEffects.of[static_cast<uint8_t>(e.kind)].releases && (p.owner->ignored.what & kIgnoreOrder) == 0) p.owner->has_published();
  }
  return index;
}

uint32_t Engine::announce(const OpSpec& spec, const Commit& how) {
  Pending& p = tls_thread->op;
  fill(p, *tls_thread, spec);
  p.constrained = false;
  p.req = ++steps_;
  const uint32_t index = record(p, how);
  ObjectRecord& object = recorder().objects[p.object->index];
  object.first_event = std::min(object.first_event, index);
  return index;
}

// A look in vain. What it synchronises counts all the same.
[[gnu::noinline]] void Engine::leave_out(const Pending& p, const Commit& how) {
  recent_accesses().forget();
  --steps_;  // of its arrival
  if (!race_detector_watches() || !kind_info(p.kind).has(kAtomic) || (p.owner->ignored.what & kIgnoreOrder) != 0) return;
  Event look = unfinished_event(p);
  look.outcome = how.outcome;
  race_detector_look(look);
}

uint32_t Engine::commit(Pending& p, const Commit& how) {
  Thread& t = *p.owner;
  if (__builtin_expect(p.constrained, 0)) enforcement_.executed(p, how.partner);
  note_progress(t, p, how);
  uint32_t index = kNoEvent;
  bool stored = how.stored & p.writes();
  if (__builtin_expect(looks_in_vain(p, how, stale_choices_), 0)) {
    leave_out(p, how);
    stored = false;
  } else {
    index = record(p, how);
  }
  if (__builtin_expect(t.linked, 0)) unlink(p);
  set_ready(p, false);
  if (__builtin_expect(p.idle, 0)) {
    p.idle = false;
    --idle_count_;
  }
  t.in_operation = false;
  t.forget_plain_accesses();
  t.clock_reads = 0;
  last_identity_ = p.identity;
  last_thread_ = t.index;
  if (__builtin_expect(p.object != nullptr, 1)) {
    Object& o = *p.object;
    o.last_step = steps_;
    o.last_thread = t.index;
    ObjectRecord& record = recorder().objects[o.index];
    record.first_event = std::min(record.first_event, index);
    o.written_by = stored ? index : o.written_by;
    o.last_write_event = stored ? index : o.last_write_event;
    if (__builtin_expect(o.pending_head != nullptr, 0)) reconsider(o);
  }
  if (strategy_->executed != nullptr) {
    strategy_->executed(p, live_.data(), static_cast<uint32_t>(live_.size()));
  }
  if (__builtin_expect(idle_count_ != 0, 0)) wake_idle(p.kind);
  if (__builtin_expect(steps_ > last_step_, 0)) at_last_step();
  return index;
}

WriteRecord Engine::last_write(uint32_t object_index) {
  return write_record(g_engine.objects_[object_index].written_by);
}

void Engine::misuse(FindingType type, const Object* object, Place place, uint32_t other_thread,
                    uint32_t other_event, const char* detail, uintptr_t address) {
  Thread& t = *tls_thread;
  const Spot spot = spot_of(t, place);
  Uncontrolled guard;
  // Adds the position to the context, like a call. So reports find the user's code inside a library's function.
  const uint32_t context = spot.position != spot.site ? contexts().child(spot.context, sites()[spot.position].pc) : spot.context;
  raise_finding({type, t.index, object != nullptr ? object->index : 0, other_thread, other_event, context,
                 spot.site, detail, address});
}

}  // namespace heddle::rt
