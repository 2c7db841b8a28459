#include "harness/cli/search_clock.h"

#include <algorithm>
#include <ctime>

#include "harness/cli/deadline.h"

namespace heddle::cli {
namespace {

constexpr double kLeastShare = 1.0 / 3;

double share_of_real_time(double seconds) {
  constexpr double kNoTime = 1e-3;
  return std::max(kLeastShare, seconds / std::max(kNoTime, Deadline::left()));
}

}  // namespace

SearchClock::SearchClock(const TargetServer& target, double seconds)
    : target_(target),
      begun_(processor_seconds()),
      share_of_real_time_(share_of_real_time(seconds)) {}

double SearchClock::processor_seconds() const {
  timespec own;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  return static_cast<double>(own.tv_sec) + 1e-9 * static_cast<double>(own.tv_nsec) +
         target_.processor_seconds();
}

double SearchClock::seconds() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - really_begun_;
  return std::max(processor_seconds() - begun_, share_of_real_time_ * passed.count());
}

}  // namespace heddle::cli
