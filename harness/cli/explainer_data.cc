// Which bytes decide, of the data and of the random ones: the finding's schedule with others.
#include <algorithm>

#include "harness/cli/explainer.h"
#include "harness/cli/random_bytes.h"

namespace heddle::cli {

// A byte with which the finding comes in some other values can have any, as far as this tells.
void Explainer::try_data(Explanation& out) {
  constexpr size_t kMostBytes = 16;
  constexpr unsigned kValues = 256, kStride = 37;  // each value once, and unlike ones first
  constexpr unsigned kFew = 8;
  constexpr double kShare = 0.5;  // of the time that is left
  cut_ = false;
  const double begun = seconds();
  deadline_ = begun + kShare * (limits_.seconds - begun);
  for (size_t i = 0; i < schedule_.payload.size() && i < kMostBytes && !over(); ++i) {
    DecidingByte byte = {i, schedule_.payload[i]};
    Schedule other = schedule_;
    for (unsigned n = 1; n < kValues && !over(); ++n) {
      const auto value = static_cast<uint8_t>(byte.value + n * kStride);
      other.payload[i] = value;
      if (is_finding(execute(other))) byte.others.push_back(value);
      if (n == kFew && byte.others.size() == kFew) break;
    }
    if (!cut_ && byte.others.size() != kFew && byte.others.size() != kValues - 1)
      out.data.push_back(std::move(byte));
  }
  if (cut_ || schedule_.payload.size() > kMostBytes) out.untried.insert(Untried::data);
}

// The seed draws the random bytes. Each is a function of it, so what executions with other seeds
// got is known afterwards.
void Explainer::try_random_bytes(Explanation& out) {
  constexpr size_t kMost = 5000, kMostThreads = 16, kMostBytes = 3;
  constexpr double kShare = 0.8;  // of the time that is left
  cut_ = false;
  const double begun = seconds();
  deadline_ = begun + kShare * (limits_.seconds - begun);
  std::vector<ThreadId> threads;
  for (const ThreadRecord& thread : trace_.threads) threads.push_back(thread.id);
  if (threads.size() > kMostThreads) return;
  std::vector<SeedOutcome> outcomes = {{schedule_.seed, true}};
  size_t findings = 1;
  while (outcomes.size() < kMost && !over() &&
         !tells_from_chance(findings, outcomes.size() - findings, threads.size())) {
    const Schedule other = with_another_seed(schedule_);
    const Execution execution = execute(other);
    if (!execution.has_trace || (execution.found && !is_finding(execution))) continue;
    outcomes.push_back({other.seed, execution.found});
    findings += execution.found;
  }
  std::vector<RandomByte> bytes = telling_bytes(outcomes, threads, schedule_.seed);
  if (bytes.size() <= kMostBytes) out.random = std::move(bytes);
}

}  // namespace heddle::cli
