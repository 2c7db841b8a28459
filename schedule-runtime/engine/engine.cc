// An operation from arrival to commitment.
#include "engine/engine.h"

#include "memory/race_detector.h"
#include "memory/recent_accesses.h"
#include "memory/touch.h"
#include "trace/finding.h"

namespace heddle::rt {

constinit thread_local Thread* tls_thread = nullptr;
constinit thread_local PlainGate tls_gate;

constinit Engine g_engine;

// --- arriving at an operation -----------------------------------------------------------------

// A position inside the standard library, or in a module that is not instrumented, says nothing: take the user's call into it
// where a shim has noted it, else the nearest call site of the user's.
Engine::Spot Engine::user_spot(const Thread& t, uint32_t site, uint32_t node) {
  if (t.outer_pc != 0) {
    const SiteTable::Position& outer = sites().position(t.outer_pc);
    if (!outer.library) return {outer.site, node, outer.site};
    site = outer.site;
  }
  const uint32_t caller = contexts()[node].user_site;
  return {caller != kNoUserSite ? caller : site, node, site};
}

uint64_t Engine::occurrence_key(ThreadId thread, SiteId site, Kind kind) {
  return mix(thread, mix(site, static_cast<uint8_t>(kind))) | 1;
}

uint32_t Engine::next_occurrence(uint64_t key) {
  bool inserted;
  return ++occurrences_.find_or_insert(key, inserted);
}

void Engine::fill(Pending& p, Thread& t, const OpSpec& spec) {
  t.frames = t.outer_frame != 0 ? t.outer_frame : spec.place.frame;
  const Spot spot = spot_of(t, spec.place);
  const uint32_t site = spot.site;
  const uint32_t node = spot.context;
  p.site = sites()[site].id;
  p.pc_index = site;
  p.position = spot.position;
  p.context_node = node;
  p.context = contexts()[node].hash;
  p.kind = spec.kind;
  p.order = spec.order;
  p.object = spec.object;
  p.object_id = spec.object != nullptr ? spec.object->id : kAnyObject;
  p.object_index = spec.object != nullptr ? spec.object->index : 0;
  p.may_go = spec.may_go;
  p.deadline = spec.deadline;
  p.detail = spec.detail;
  p.may_time_out_early = spec.may_time_out_early;
  p.timed_out = false;
  p.prefers = spec.prefers;
  p.asks_at_end = false;
  p.gave_up = false;
  p.event_flags = 0;
  p.held_version = 0;
  p.priority = 0;
  p.redraws = 0;
  p.occurrence = next_occurrence(occurrence_key(t.id, p.site, p.kind));
  if (p.occurrence == 1) windows_.new_place(steps_);
  p.identity = mix(mix(t.id, p.site), static_cast<uint64_t>(p.occurrence) << 8 | static_cast<uint8_t>(p.kind));
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
  if (!t.linked) return;
  if (t.previous_pending != nullptr) t.previous_pending->owner->next_pending = t.next_pending;
  else p.object->pending_head = t.next_pending;
  if (t.next_pending != nullptr) t.next_pending->owner->previous_pending = t.previous_pending;
  t.linked = false;
}

// Whether an op can go depends on its object alone (and on time): ask again those that are on it.
void Engine::reconsider(Object& o) {
  for (Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
    const bool ready = p->may_go(*p) || p->may_time_out_early || p->deadline <= now_;
    if (!ready) p->event_flags |= kEventContended;
    set_ready(*p, ready);
  }
}

void Engine::post(Pending& p) {
  p.req = ++steps_;
  const bool can_go = p.may_go == nullptr || p.may_go(p);
  if (!can_go) p.event_flags |= kEventContended;
  if (p.may_go != nullptr && p.object != nullptr) link(p);
  set_ready(p, can_go || p.may_time_out_early || p.deadline <= now_);
  const uint16_t roles = kind_info(p.kind).roles;
  const bool spins = p.owner->stale_ops >= p.owner->spin_threshold;
  if (spins) turns_on_news();
  p.idle = spins || ((roles & kYields) != 0 && p.may_go == nullptr);
  if (p.idle) {
    ++idle_count_;
    p.owner->news_seen = news_;
  }
  p.constrained = enforcement_.active() && enforcement_.concerns(p);
  if (strategy_->posted != nullptr) strategy_->posted(p);
}

Pending& Engine::arrive(const OpSpec& spec) {
  Thread& t = *tls_thread;
  Pending& p = t.op;
  fill(p, t, spec);
  post(p);
  Pending* next = choose_next();
  if (next != &p) {
    if (next == nullptr) end_run(end_reason_);
    switch_to(*next);
  }
  chosen(p);
  // To wake who waits at a futex word says nothing of the word: it may be gone.
  if (spec.object != nullptr && fiber::may_be_stack(spec.object->address) && spec.object->family != Family::futex) {
    check_stack_use(spec.object->address, spec.place, "uses", spec.object);
  }
  return p;
}

// From here to commit() nothing else runs.
void Engine::chosen(Pending& p) {
  if (p.may_go != nullptr && !p.may_go(p)) {
    if (p.deadline == kNever) {
      p.gave_up = true;
    } else {
      p.timed_out = true;
      if (p.deadline > now_) now_ = p.deadline;
    }
  }
  p.owner->in_operation = true;
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
  if (p.object != o) g_engine.unlink(p);
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
  if (recorder().full()) {
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
  if (race_detector_watches()) {
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
  if (object.first_event == kNoEvent) object.first_event = index;
  return index;
}

uint32_t Engine::commit(Pending& p, const Commit& how) {
  Thread& t = *p.owner;
  if (p.constrained) enforcement_.executed(p);
  const uint32_t index = record(p, how);
  unlink(p);
  set_ready(p, false);
  if (p.idle) {
    p.idle = false;
    --idle_count_;
  }
  note_progress(t, p, how);
  t.in_operation = false;
  t.forget_plain_accesses();
  t.clock_reads = 0;
  last_identity_ = p.identity;
  last_thread_ = t.index;
  if (p.object != nullptr) {
    Object& o = *p.object;
    o.last_step = steps_;
    ObjectRecord& record = recorder().objects[o.index];
    if (record.first_event == kNoEvent) record.first_event = index;
    if (how.wrote && p.writes()) {
      o.last_write = {p.site, t.id, p.occurrence, p.context, p.kind};
      o.last_write_event = index;
    }
    if (o.pending_head != nullptr) reconsider(o);
  }
  if (strategy_->executed != nullptr) {
    strategy_->executed(p, live_.data(), static_cast<uint32_t>(live_.size()));
  }
  if (idle_count_ != 0) wake_idle(p.kind);
  if (__builtin_expect(steps_ > last_step_, 0)) end_run(EndReason::step_bound);
  return index;
}

WriteRecord Engine::last_write(uint32_t object_index) {
  return g_engine.objects_[object_index].last_write;
}

// --- decisions of the select kind -------------------------------------------------------------

// The instance is the occurrence of the operation that the choice belongs to: the present one, or the one about to be posted.
uint32_t Engine::instance_of(const OpSpec& spec, SiteId site) {
  const Thread& t = *tls_thread;
  const uint32_t* passed = occurrences_.find(occurrence_key(t.id, site, spec.kind));
  return (passed != nullptr ? *passed : 0) + (t.in_operation && t.op.kind == spec.kind ? 0 : 1);
}

const SelectPreference* Engine::preference(const OpSpec& spec) {
  if (schedule_.selects.empty()) return nullptr;
  Thread& t = *tls_thread;
  const SiteId id = sites()[spot_of(t, spec.place).site].id;
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
  const SiteId id = sites()[spot_of(t, spec.place).site].id;
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

void Engine::misuse(FindingType type, const Object* object, const Place& place, uint32_t other_thread,
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
