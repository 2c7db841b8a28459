#include "harness/cli/deviating_run.h"

#include <map>
#include <utility>

#include "harness/cli/explicit_schedule.h"

namespace heddle::cli {

Schedule schedule_of(const DeviatingRun& node, const Schedule& like) {
  Schedule out = bare_schedule(like);
  out.selects = like.selects;
  if (like.strategy == StrategyId::nonpreemptive) out.seed = like.seed;
  for (const Deviation& d : node.deviations) {
    for (const Element& other : d.others) out.delays.push_back(delay_of({d.next, other}));
  }
  return out;
}

bool obeyed(const DeviatingRun& node, const StoredTrace& run) {
  if (node.deviations.empty()) return true;
  if (node.from > run.events.size()) return false;
  const Event& last = run.events[node.from - 1];
  return element_of(run, last) == node.deviations.back().next && last.finished();
}

std::vector<DeviatingRun> deviating_further(const DeviatingRun& node, const StoredTrace& run,
                                            size_t most) {
  std::vector<DeviatingRun> out;
  std::map<uint32_t, size_t> next;  // what each thread does next, on a walk from the end
  for (size_t i = run.events.size(); i-- > node.from;) {
    const Event& e = run.events[i];
    next[e.thread] = i;
    if (!e.finished() || i == 0) continue;
    const Event& before = run.events[i - 1];
    const bool goes_on = before.thread == e.thread && before.kind != Kind::thread_exit &&
                         !kind_info(before.kind).has(kYields);
    for (const auto& [thread, its] : next) {
      const uint32_t created = run.threads[thread].create_event;
      const bool there = created == kNoEvent || created < i;
      if (thread == e.thread || !there || run.events[its].site == kNoSite) continue;
      if (out.size() >= most) return out;
      DeviatingRun child = node;
      Deviation deviation = {element_of(run, run.events[its]), {}};
      for (const auto& [other, at] : next) {
        if (other != thread && run.events[at].site != kNoSite)
          deviation.others.push_back(element_of(run, run.events[at]));
      }
      child.deviations.push_back(std::move(deviation));
      child.from = i + 1;
      child.preemptions += goes_on;
      out.push_back(std::move(child));
    }
  }
  return out;
}

}  // namespace heddle::cli
