#include "scheduler/enforcement.h"

namespace heddle::rt {

namespace {

// How often a thread may go on because of what is held: enough for a few rounds of a polling loop. With every fourth seed a hundred times,
// with every sixteenth a thousand times.
uint32_t time_to_lend(uint64_t seed) {
  const uint64_t draw = mix(seed, 0x7E4D) % 16;
  return draw == 0 ? 4096 : draw < 4 ? 512 : 64;
}

}  // namespace

void Enforcement::begin(const ScheduleView& schedule, LastWrite last_write) {
  last_write_ = last_write;
  released_ = 0;
  lent_ = 0;
  may_lend_ = time_to_lend(schedule.seed);
  chains_.begin(schedule);
  reads_from_.begin(schedule);
  delays_.begin(schedule);
  weak_ = schedule.memory_model != MemoryModel::sc;
  prefix_.begin(schedule);
  places_ = 0;
  for (const Element& e : schedule.elements) note(e);
  for (const Delay& d : schedule.delays) {
    note(d.what);
    note(d.until);
  }
  every_write_ = !schedule.reads_from.empty();
  for (const ReadsFrom& r : schedule.reads_from) note(r.read);
  update();
}

void Enforcement::update() {
  ++version_;
  active_ = chains_.active() || reads_from_.active() || delays_.active() || prefix_.active();
}

// Each choice asks this for each candidate. So the answer is cached until a chain or a delay changes its state.
bool Enforcement::held(Pending& p) {
  if (p.held_version == version_) return p.held;
  p.held_version = version_;
  p.held = true;
  if (chains_.active() && chains_.verdict(p) == Verdict::held) {
    p.event_flags |= kEventHeld;
  } else if (delays_.active() && delays_.verdict(p) == Verdict::held) {
    p.event_flags |= kEventDelayed;
  } else {
    p.held = false;
  }
  return p.held;
}

Verdict Enforcement::verdict(Pending& p, Pending* const* all, uint32_t count) {
  if (held(p)) return Verdict::held;
  const Verdict v = reads_from_.active() ? reads_from_verdict(p, all, count) : Verdict::neutral;
  if (v == Verdict::held) p.event_flags |= kEventHeld;
  if (v == Verdict::held || !prefix_.active() || !GraphPrefix::is_graph_operation(p)) return v;
  switch (prefix_.place(p)) {
    case GraphPrefix::Place::ready: return Verdict::favoured;
    case GraphPrefix::Place::within: return v;
    default: break;
  }
  p.event_flags |= kEventHeld;
  return Verdict::held;
}

Verdict Enforcement::reads_from_verdict(Pending& p, Pending* const* all, uint32_t count) {
  if (weak_ && GraphPrefix::is_graph_operation(p)) return reads_from_.weak_verdict(p, all, count);
  return reads_from_.verdict(p, last_write_, all, count);
}

uint32_t Enforcement::choose(const Pending& p, const graph::Location& x, const graph::Candidates& candidates) {
  const uint32_t k = prefix_.choose(p, x, candidates);
  return k < candidates.count || !reads_from_.active() ? k : reads_from_.choose(p, x, candidates);
}

void Enforcement::executed(Pending& p, uint32_t partner) {
  bool moved = chains_.active() && chains_.executed(p);
  if (delays_.active()) moved |= delays_.executed(p);
  // The cached answer (held_version) does not include reads-from constraints.
  if (reads_from_.active()) {
    if (weak_ && GraphPrefix::is_graph_operation(p)) reads_from_.weak_executed(p, partner);
    else reads_from_.executed(p, last_write_);
    moved |= !reads_from_.active();
  }
  if (moved) update();
}

bool Enforcement::release(Pending& p) {
  bool released = chains_.active() && chains_.release(p);
  released = released || (delays_.active() && delays_.release(p));
  if (!released && reads_from_.active()) {
    released = weak_ && GraphPrefix::is_graph_operation(p) ? reads_from_.weak_release(p) : reads_from_.release(p, last_write_);
  }
  released = released || prefix_.release(p);
  if (!released) return false;
  p.event_flags |= kEventReleased;
  ++released_;
  update();
  return true;
}

}  // namespace heddle::rt
