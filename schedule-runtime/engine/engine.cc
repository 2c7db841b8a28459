// An operation from arrival to commitment.
#include "engine/engine.h"

#include <algorithm>

#include "memory/race_detector.h"
#include "memory/recent_accesses.h"
#include "memory/touch.h"
#include "trace/finding.h"

namespace heddle::rt {

constinit thread_local Thread* tls_thread = nullptr;
constinit thread_local PlainGate tls_gate;

constinit Engine g_engine;

// --- arriving at an operation -----------------------------------------------------------------

uint64_t Engine::occurrence_key(uint64_t thread_at_site, Kind kind) {
  return (thread_at_site + static_cast<uint8_t>(kind) * 0x9E3779B97F4A7C15ull) | 1;
}

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
  p.gave_up = false;
  p.event_flags = 0;
  p.priority = 0;
  p.redraws = 0;
  p.held_version = 0;
  const uint64_t here = mix(t.id, p.site);
  p.occurrence = next_occurrence(occurrence_key(here, p.kind));
  if (p.occurrence == 1) windows_.new_place(steps_);
  p.identity = mix(here, static_cast<uint64_t>(p.occurrence) << 8 | static_cast<uint8_t>(p.kind));
}

void Engine::set_ready(Pending& p, bool ready) {
  Thread& t = *p.owner;
  p.enabled = ready;
  if (ready == (t.ready_slot >= 0)) return;
  if (ready) {
    t.ready_slot = static_cast<int32_t>(ready_.size());
    ready_.push() = &p;
  } else {
    Pending* last = ready_[ready_.size() - 1];
    ready_[t.ready_slot] = last;
    last->owner->ready_slot = t.ready_slot;
    ready_.resize(ready_.size() - 1);
    t.ready_slot = -1;
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

// Whether an op can go depends on its object alone (and on time): ask again those that are on it.
[[gnu::noinline]] void Engine::reconsider(Object& o) {
  for (Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
    const bool ready = p->may_go(*p) || p->may_time_out_early || p->deadline <= now_;
    if (!ready) p->event_flags |= kEventContended;
    set_ready(*p, ready);
  }
}

// Of an op that cannot always go.
[[gnu::noinline]] void Engine::post_waiting(Pending& p) {
  const bool can_go = p.may_go(p);
  if (!can_go) p.event_flags |= kEventContended;
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
  if (__builtin_expect(spins || (kind_info(p.kind).has(kYields) && p.may_go == nullptr), 0)) set_aside(p);
  p.constrained = enforcement_.active() && enforcement_.concerns(p);
  if (strategy_->posted != nullptr) strategy_->posted(p);
}

[[gnu::noinline]] void Engine::chosen_in_vain(Pending& p) {
  if (p.deadline == kNever) {
    p.gave_up = true;
    return;
  }
  p.timed_out = true;
  now_ = std::max(now_, p.deadline);
}

// From here to commit() nothing else runs.
void Engine::chosen(Pending& p) {
  if (p.may_go != nullptr && !p.may_go(p)) chosen_in_vain(p);
  p.owner->in_operation = true;
}

Pending& Engine::arrive(const OpSpec& spec) {
  Thread& t = *tls_thread;
  Pending& p = t.op;
  fill(p, t, spec);
  post(p);
  Pending* next = choose_next();
  if (next != &p) {
    if (__builtin_expect(next == nullptr, 0)) end_run(end_reason_);
    switch_to(*next);
  }
  chosen(p);
  // To wake who waits at a futex word says nothing of the word: it may be gone.
  if (spec.object != nullptr && fiber::may_be_stack(spec.object->address) && spec.object->family != Family::futex) {
    check_stack_use(spec.object->address, spec.place, "uses", spec.object);
  }
  return p;
}

Pending& Engine::park(Pending& p, MayGo may_go, uint64_t deadline, bool early, bool prefers) {
  p.may_go = may_go;
  p.deadline = deadline;
  p.may_time_out_early = early;
  p.prefers = prefers;
  p.gave_up = false;
  p.timed_out = false;
  p.owner->in_operation = false;
  if (p.idle) {
    p.idle = false;
    --idle_count_;
  }
  p.event_flags |= kEventContended;
  set_ready(p, may_go(p) || early || deadline <= now_);
  Pending* next = choose_next();
  if (next != &p) {
    if (next == nullptr) end_run(end_reason_);
    switch_to(*next);
  }
  chosen(p);
  return p;
}

void Engine::wake(Pending& p) {
  set_ready(p, p.may_go(p) || p.may_time_out_early || p.deadline <= now_);
}

void Engine::settle_on(Pending& p, Object* o) {
  if (p.object != o && p.owner->linked) g_engine.unlink(p);
  p.object = o;
  p.object_id = o != nullptr ? o->id : kAnyObject;
  p.object_index = o != nullptr ? o->index : 0;
}

void Engine::switch_to(Pending& next) {
  fiber::switch_to(next.owner->fiber);
}

// --- committing -------------------------------------------------------------------------------

[[gnu::always_inline]] inline uint32_t Engine::record(const Pending& p, const Commit& how) {
  recent_accesses().forget();
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
  if (__builtin_expect(race_detector_watches(), 0)) {
    race_detector_event(e, how.partner_thread, p.object != nullptr ? p.object->address : 0, how.bytes, p.owner->ignored.what);
  } else if (kEffects.of[static_cast<uint8_t>(e.kind)].releases && (p.owner->ignored.what & kIgnoreOrder) == 0) {
    p.owner->has_published();
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

uint32_t Engine::commit(Pending& p, const Commit& how) {
  Thread& t = *p.owner;
  if (__builtin_expect(p.constrained, 0)) enforcement_.executed(p);
  const uint32_t index = record(p, how);
  if (__builtin_expect(t.linked, 0)) unlink(p);
  set_ready(p, false);
  if (__builtin_expect(p.idle, 0)) {
    p.idle = false;
    --idle_count_;
  }
  note_progress(t, p, how);
  t.in_operation = false;
  t.forget_plain_accesses();
  t.clock_reads = 0;
  last_identity_ = p.identity;
  last_thread_ = t.index;
  if (__builtin_expect(p.object != nullptr, 1)) {
    Object& o = *p.object;
    o.last_step = steps_;
    ObjectRecord& record = recorder().objects[o.index];
    record.first_event = std::min(record.first_event, index);
    const bool wrote = how.wrote & p.writes();
    o.written_by = wrote ? index : o.written_by;
    o.last_write_event = wrote ? index : o.last_write_event;
    if (__builtin_expect(o.pending_head != nullptr, 0)) reconsider(o);
  }
  if (strategy_->executed != nullptr) {
    strategy_->executed(p, live_.data(), static_cast<uint32_t>(live_.size()));
  }
  if (__builtin_expect(idle_count_ != 0, 0)) wake_idle(p.kind);
  if (__builtin_expect(steps_ > last_step_, 0)) end_run(EndReason::step_bound);
  return index;
}

WriteRecord Engine::last_write(uint32_t object_index) {
  const uint32_t index = g_engine.objects_[object_index].written_by;
  if (index == kNoEvent) return {};
  const Event& e = recorder().events[index];
  return {e.site, g_engine.threads_[e.thread].id, e.occurrence, e.context, e.kind};
}

// --- decisions of the select kind -------------------------------------------------------------

// The instance is the occurrence of the operation that the choice belongs to: the present one, or the one about to be posted.
uint32_t Engine::instance_of(const OpSpec& spec, SiteId site) {
  const Thread& t = *tls_thread;
  const uint32_t* passed = occurrences_.find(occurrence_key(mix(t.id, site), spec.kind));
  return (passed != nullptr ? *passed : 0) + (t.in_operation && t.op.kind == spec.kind ? 0 : 1);
}

const SelectPreference* Engine::preference(const OpSpec& spec) {
  if (schedule_.selects.empty()) return nullptr;
  Thread& t = *tls_thread;
  const SiteId id = spot_of(t, spec.place).id;
  const uint32_t instance = instance_of(spec, id);
  for (const SelectPreference& s : schedule_.selects) {
    if (s.site == id && s.kind == spec.kind && (s.thread == kAnyThread || s.thread == t.id) &&
        (s.instance == 0 || s.instance == instance)) {
      return &s;
    }
  }
  return nullptr;
}

uint32_t Engine::choose(const OpSpec& spec, uint32_t count, uint32_t first_weight, bool* preferred) {
  if (preferred != nullptr) *preferred = false;
  if (count <= 1) return 0;
  if (const SelectPreference* s = preference(spec)) {
    if (preferred != nullptr) *preferred = true;
    return s->choice < 0 ? 0 : static_cast<uint32_t>(s->choice) % count;
  }
  return draw(spec, count, first_weight);
}

uint32_t Engine::draw(const OpSpec& spec, uint32_t count, uint32_t first_weight) {
  if (count <= 1) return 0;
  Thread& t = *tls_thread;
  const SiteId id = spot_of(t, spec.place).id;
  const uint64_t subject = mix(mix(t.id, id), static_cast<uint64_t>(instance_of(spec, id)) << 8 | static_cast<uint8_t>(spec.kind));
  const uint64_t total = first_weight + (count - 1);
  const uint64_t ticket = decision_point().draw(subject) % total;
  return ticket < first_weight ? 0 : static_cast<uint32_t>(ticket - first_weight + 1);
}

bool Engine::hurries(const OpSpec& spec, uint32_t first_weight, bool& preferred) {
  Thread& t = *tls_thread;
  preferred = false;
  if (t.hurried_at == news_ + 1) turns_on_news();
  const bool may = t.hurried_at != news_ + 1 && t.hurried_in_row < kHurriesInRow;
  if (!may || choose(spec, 2, first_weight, &preferred) == 0) {
    t.hurried_in_row = 0;
    return false;
  }
  t.hurried_at = news_ + 1;
  ++t.hurried_in_row;
  return true;
}

void Engine::misuse(FindingType type, const Object* object, Place place, uint32_t other_thread,
                    uint32_t other_event, const char* detail, uintptr_t address) {
  Thread& t = *tls_thread;
  const Spot spot = spot_of(t, place);
  Uncontrolled guard;
  // As if it were a call on the way there, so that reports find the user's code in a library's function.
  const uint32_t context = spot.position != spot.site ? contexts().child(spot.context, sites()[spot.position].pc) : spot.context;
  raise_finding({type, t.index, object != nullptr ? object->index : 0, other_thread, other_event, context,
                 spot.site, detail, address});
}

}  // namespace heddle::rt
