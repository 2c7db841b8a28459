#include "mutator/knowledge/deliveries.h"

#include "mutator/knowledge/relations.h"

namespace heddle::mutator {
namespace {

// The handler is recorded at the position of the operation that it came before.
uint32_t interrupted_by(const KnownRun& run, uint32_t handle) {
  const Event& h = run.events[handle];
  for (uint32_t i = handle + 1; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (e.thread == h.thread && e.site == h.site && e.kind != Kind::signal_handle) return is_operation(e) ? i : kNoEvent;
  }
  return kNoEvent;
}

// The last operation before the handler, if it went when the signal was on its way.
uint32_t late_before(const KnownRun& run, uint32_t send, uint32_t handle) {
  for (uint32_t i = handle; i-- > send + 1;) {
    const Event& e = run.events[i];
    if (e.thread != run.events[handle].thread || !is_operation(e)) continue;
    return e.kind != Kind::signal_handle && !kind_info(e.kind).has(kThread) ? i : kNoEvent;
  }
  return kNoEvent;
}

SelectPreference preference(const KnownRun& run, const Event& at, uint32_t instance, bool after) {
  SelectPreference p{};
  p.thread = run.threads[at.thread].id;
  p.site = at.site;
  p.instance = instance;
  p.choice = after ? 1 : 0;
  p.kind = Kind::signal_handle;
  return p;
}

}  // namespace

std::vector<Delivery> deliveries_of(const KnownRun& run) {
  std::vector<Delivery> out;
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (e.kind != Kind::signal_handle || e.partner >= i || run.events[e.partner].thread == e.thread) continue;
    out.push_back({e.partner, i, interrupted_by(run, i), late_before(run, e.partner, i)});
  }
  return out;
}

SelectPreference handler_comes_again(const KnownRun& run, uint32_t handle) {
  return preference(run, run.events[handle], run.events[handle].occurrence, false);
}

SelectPreference handler_comes(bool after, const KnownRun& run, uint32_t operation) {
  const Event& e = run.events[operation];
  uint32_t handlers = 0;        // that came before an operation at this position
  bool before_this = false;     // the last one of them
  for (uint32_t i = 0; i < operation; ++i) {
    const Event& other = run.events[i];
    if (other.thread != e.thread || other.site != e.site) continue;
    before_this = other.kind == Kind::signal_handle;
    handlers += before_this;
  }
  return preference(run, e, handlers + !before_this, after);
}

}  // namespace heddle::mutator
