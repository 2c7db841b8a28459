#include "mutator/modes/flow.h"

#include "mutator/operators/chain.h"

namespace heddle::mutator {

namespace {

uint64_t element_key(const Element& e) {
  return mix(mix(e.thread, e.site), static_cast<uint64_t>(e.occurrence) << 8 | static_cast<uint8_t>(e.kind));
}

uint64_t pair_key(const Delay& d) { return element_key(d.what) + element_key(d.until); }

}  // namespace

void Flow::learn(const KnownRun& run, const Schedule& schedule, bool) {
  if ((run.flags & kRunStepBound) != 0 || run.events.empty() || schedule.delays.size() >= kMaxDelays) return;
  const Relations& relations = run.relations();
  std::shared_ptr<const Schedule> parent;
  uint32_t taken = 0;
  for (const FlowPair& pair : pairs_.find(relations)) {
    if (taken == kPairsPerRun) break;
    const Delay delay{relations.exact(pair.first), relations.exact(pair.second)};
    if (tried_.size() >= kMaxTried) tried_.clear();
    auto& jobs = jobs_[static_cast<size_t>(pair.rank)];
    if (jobs.size() >= kMaxQueued || !tried_.insert(pair_key(delay)).second) continue;
    if (parent == nullptr) parent = std::make_shared<const Schedule>(schedule);
    jobs.push_back({parent, delay});
    ++taken;
  }
}

Schedule Flow::next(const Schedule& parent, Rng& rng) {
  for (auto& jobs : jobs_) {
    if (jobs.empty()) continue;
    Schedule child = *jobs.front().parent;
    child.delays.push_back(jobs.front().delay);
    jobs.pop_front();
    return child;
  }
  Schedule child = parent;
  child.seed = rng.next();
  return child;
}

size_t Flow::queued() const {
  size_t n = 0;
  for (const auto& jobs : jobs_) n += jobs.size();
  return n;
}

}  // namespace heddle::mutator
