// Chains: ops in a given order (GoPie's scheduling chains, docs/design/gopie.md#enforcement).
//
// An op matches the earliest unmatched element. If that element is next, the op may go. If it comes later, the op is held. When nothing
// else can run and a held op is released for the first time, the chain is abandoned from there on
// (docs/design/runtime-laws.md#chains-and-constraints).
#include "scheduler/enforcement.h"

namespace heddle::rt {

void Chains::begin(const ScheduleView& schedule) {
  count_ = 0;
  live_ = 0;
  const size_t total = schedule.elements.size();
  if (total == 0) return;
  uint32_t placed = 0;
  bool seen[kMaxChains] = {};  // the view names no others
  for (size_t i = 0; i < total && count_ < kMaxChains; ++i) {
    const uint8_t name = schedule.elements[i].chain;
    if (seen[name]) continue;
    seen[name] = true;
    Chain& c = chains_[count_];
    c = {placed, 0, 0, false};
    for (size_t j = i; j < total && placed < kMaxElements; ++j) {
      const Element& e = schedule.elements[j];
      if (e.chain != name || e.site == kNoSite) continue;
      keys_[placed] = place_key(e.site, e.kind);
      elements_[placed++] = e;
      ++c.length;
      variables_[count_][e.thread_var] = kAnyThread;
    }
    bound_[count_] = 0;
    results_[count_] = {c.length, 0};
    if (c.length != 0) ++live_; else c.abandoned = true;
    ++count_;
  }
}

bool Chains::bound_to(const Chain& c, const Element& e, ThreadId thread) const {
  if (e.thread_var == 0) return true;
  const auto index = &c - chains_;
  const ThreadId* variables = variables_[index];
  if (variables[e.thread_var] != kAnyThread) return variables[e.thread_var] == thread;
  if (bound_[index] == 0) return true;
  // A different variable stands for a different thread.
  for (uint32_t i = 0; i < c.length; ++i) {
    const uint8_t other = element(c, i).thread_var;
    if (other != 0 && other != e.thread_var && variables[other] == thread) return false;
  }
  return true;
}

bool Chains::fits(const Chain& c, uint32_t i, const Pending& p) const {
  const Element& e = element(c, i);
  return matches(e, p) && bound_to(c, e, p.thread);
}

uint32_t Chains::find(const Chain& c, const Pending& p) const {
  const uint64_t key = place_key(p.site, p.kind);
  for (uint32_t i = c.current; i < c.length; ++i) {
    if (keys_[c.first + i] == key && fits(c, i, p)) return i;
  }
  return c.length;
}

uint32_t Chains::holder(const Pending& p) const {
  for (uint32_t k = 0; k < count_; ++k) {
    const Chain& c = chains_[k];
    if (c.abandoned) continue;
    const uint32_t i = find(c, p);
    if (i != c.length && i != c.current) return k;
  }
  return count_;
}

bool Chains::awaited(const Pending& p) const {
  for (uint32_t k = 0; k < count_; ++k) {
    const Chain& c = chains_[k];
    if (!c.abandoned && fits(c, c.current, p)) return true;
  }
  return false;
}

bool Chains::awaits(ThreadId thread) const {
  for (uint32_t k = 0; k < count_; ++k) {
    const Chain& c = chains_[k];
    if (c.abandoned) continue;
    const Element& e = element(c, c.current);
    if (e.thread == thread || (e.thread == kAnyThread && bound_to(c, e, thread))) return true;
  }
  return false;
}

void Chains::abandon(Chain& c) {
  c.abandoned = true;
  --live_;
}

void Chains::advance(Chain& c, const Pending& p) {
  const auto index = &c - chains_;
  const uint8_t variable = element(c, c.current).thread_var;
  if (variable != 0 && variables_[index][variable] == kAnyThread) {
    variables_[index][variable] = p.thread;
    ++bound_[index];
  }
  ++c.current;
  results_[index].realised = c.current;
  if (c.current == c.length) abandon(c);
}

bool Chains::executed(Pending& p) {
  const uint64_t key = place_key(p.site, p.kind);
  bool moved = false;
  for (uint32_t k = 0; k < count_; ++k) {
    Chain& c = chains_[k];
    if (c.abandoned || keys_[c.first + c.current] != key || !fits(c, c.current, p)) continue;
    advance(c, p);
    p.event_flags |= kEventElement;
    moved = true;
  }
  return moved;
}

bool Chains::parked(const Pending& p) {
  bool moved = false;
  for (uint32_t k = 0; k < count_; ++k) {
    Chain& c = chains_[k];
    if (c.abandoned || !fits(c, c.current, p)) continue;
    advance(c, p);
    moved = true;
  }
  return moved;
}

bool Chains::release(const Pending& p) {
  const uint32_t k = holder(p);
  if (k == count_) return false;
  abandon(chains_[k]);
  return true;
}

}  // namespace heddle::rt
