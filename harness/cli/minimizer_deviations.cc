// The last step of the search: all schedules with fewer deviations from the usual run than the best
// one has, the simplest first. It finds those whose lines only help together.
#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "harness/cli/deviating_run.h"
#include "harness/cli/minimizer.h"

namespace heddle::cli {
namespace {

constexpr uint64_t kMostDeviating = 800;       // executions
constexpr double kShareOfTime = 0.25;  // of all that there is

}  // namespace

// If it is better than the best one once what the finding does not need is left out, it is the best one.
void Minimizer::reduce(const Schedule& candidate, Execution&& execution) {
  Minimal before = std::exchange(best_, sized(candidate, std::move(execution)));
  leave_out_all();
  Minimal after = std::exchange(best_, std::move(before));
  if (is_better(after)) best_ = std::move(after);
}

void Minimizer::try_few_deviations() {
  const auto lines = [&] { return explains(best_.schedule) ? best_.size.constraints : best_.size.switches; };
  const uint64_t left = limits_.executions - std::min(executions_, limits_.executions);
  const uint64_t last = executions_ + std::min(kMostDeviating, left / 2);
  const double end = clock_.seconds() + kShareOfTime * limits_.seconds;
  const auto goes_on = [&] { return executions_ < last && clock_.seconds() < end; };
  std::deque<DeviatingRun> level = {{}};
  for (size_t deviations = 0; deviations < lines() && !level.empty(); ++deviations) {
    std::deque<DeviatingRun> next;
    for (; !level.empty() && goes_on(); level.pop_front()) {
      const Schedule candidate = schedule_of(level.front(), best_.schedule);
      std::optional<Execution> execution = attempt(candidate);
      if (!execution) return;
      if (!execution->has_trace || !obeyed(level.front(), execution->trace)) continue;
      if (deviations + 1 < lines() && next.size() < last - executions_) {
        std::vector<DeviatingRun> further = deviating_further(level.front(), execution->trace, last - executions_ - next.size());
        std::move(further.begin(), further.end(), std::back_inserter(next));
      }
      if (is_same(*execution)) reduce(candidate, std::move(*execution));
    }
    level = std::move(next);
  }
}

}  // namespace heddle::cli
