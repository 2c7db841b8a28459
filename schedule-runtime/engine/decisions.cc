// Decisions of the select kind: which case a select takes, which of several waiters is woken, whether a wait ends early. The schedule may
// prefer one outcome. Otherwise the outcome is drawn from the seed.
#include "engine/engine.h"

namespace heddle::rt {
namespace {

// How often a preference for every instance holds in one thread: a loop that ends when its select takes another case must end at some time.
constexpr uint32_t kMostOfEvery = 256;

}  // namespace

// The instance is the occurrence of the operation that the choice belongs to. That is the current operation, or the one about to be posted.
uint32_t Engine::instance_of(const OpSpec& spec, SiteId site) {
  const Thread& t = *tls_thread;
  const uint32_t* passed = occurrences_.find(occurrence_key(mix(t.id, site), spec.kind));
  return (passed != nullptr ? *passed : 0) + (t.in_operation && t.op.kind == spec.kind ? 0 : 1);
}

const SelectPreference* Engine::preference(const OpSpec& spec) {
  if (schedule_.selects.empty()) return nullptr;
  Thread& t = *tls_thread;
  const SiteId id = spot_of(t, spec.place).id;
  return preference(t.id, id, spec.kind, instance_of(spec, id));
}

const SelectPreference* Engine::preference(const Pending& before, Kind kind) {
  if (schedule_.selects.empty()) return nullptr;
  const uint32_t* const passed = occurrences_.find(occurrence_key(mix(before.thread, before.site), kind));
  return preference(before.thread, before.site, kind, (passed != nullptr ? *passed : 0) + 1);
}

const SelectPreference* Engine::preference(ThreadId thread, SiteId site, Kind kind, uint32_t instance) const {
  for (const SelectPreference& s : schedule_.selects) {
    if (s.site == site && s.kind == kind && (s.thread == kAnyThread || s.thread == thread) &&
        (s.instance == 0 ? instance <= kMostOfEvery : s.instance == instance)) {
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
  if (count <= 1 || schedule_.strategy == StrategyId::nonpreemptive) return 0;
  Thread& t = *tls_thread;
  const SiteId id = spot_of(t, spec.place).id;
  const uint64_t subject = mix(mix(t.id, id), static_cast<uint64_t>(instance_of(spec, id)) << 8 | static_cast<uint8_t>(spec.kind));
  const uint64_t total = first_weight + (count - 1);
  const uint64_t ticket = decision_point().draw(subject) % total;
  return ticket < first_weight ? 0 : static_cast<uint32_t>(ticket - first_weight + 1);
}

// The prefix and the constraints of the schedule come first, also before fairness.
uint32_t Engine::choose_source(const Pending& p, const graph::Location& x, const graph::Candidates& candidates, bool& preferred) {
  if (p.constrained && enforcement_.active()) {
    const uint32_t k = enforcement_.choose(p, x, candidates);
    if (k < candidates.count) return k;
  }
  if (graph::execution_graph().visibility().hurries(p.owner->stale_ops, candidates.count)) {
    turns_on_news();
    return 0;
  }
  return sources_.pick(p, candidates.count, decision_point(), preferred);
}

uint32_t Engine::hurry(const OpSpec& spec, uint32_t count, uint32_t first_weight, bool& preferred) {
  Thread& t = *tls_thread;
  preferred = false;
  if (t.hurried_at == news_ + 1) turns_on_news();
  const bool may = t.hurried_at != news_ + 1 && t.hurried_in_row < kHurriesInRow;
  const uint32_t how = may ? choose(spec, count, first_weight, &preferred) : 0;
  if (how == 0) {
    t.hurried_in_row = 0;
    return 0;
  }
  t.hurried_at = news_ + 1;
  ++t.hurried_in_row;
  return how;
}

void Engine::leave_out(const OpSpec& spec) {
  Thread& t = *tls_thread;
  next_occurrence(occurrence_key(mix(t.id, spot_of(t, spec.place).id), spec.kind));
}

}  // namespace heddle::rt
