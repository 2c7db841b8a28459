// Runs a body under control and returns how it ended, what was found and what happened. No assertions inside a body: the test
// framework's own locks would become operations.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "engine/engine.h"
#include "schema/schedule.h"
#include "trace/finding.h"

namespace heddle::test {

struct Result {
  rt::EndReason end;
  std::vector<rt::FindingType> findings;
  std::vector<Event> events;
  std::vector<ThreadRecord> threads;
  std::vector<ChainResult> chains;
  std::vector<SelectCase> select_cases;
  std::vector<ChannelRecord> channels;

  bool found(rt::FindingType type) const;
  bool finished() const { return end == rt::EndReason::finished; }
  bool stuck() const { return end == rt::EndReason::stuck; }
  // The n-th event (from 0) of that kind and thread index; null if there is none.
  const Event* event(Kind kind, uint32_t thread, int n = 0) const;
  int count(Kind kind) const;
};

Result run(const Schedule& schedule, const std::function<void()>& body);
Result run_seed(uint64_t seed, const std::function<void()>& body);

// How often each end came, over the seeds 1..n.
struct Ends {
  int finished = 0, stuck = 0, livelock = 0, step_bound = 0;
  std::map<rt::FindingType, int> findings;  // runs with at least one

  int all() const { return finished + stuck + livelock + step_bound; }
};
Ends run_seeds(int n, const std::function<void()>& body);

}  // namespace heddle::test
