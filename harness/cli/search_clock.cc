#include "harness/cli/search_clock.h"

#include <algorithm>
#include <ctime>

namespace heddle::cli {
namespace {

constexpr double kShareOfRealTime = 1.0 / 3;

}  // namespace

SearchClock::SearchClock(const TargetServer& target) : target_(target), begun_(processor_seconds()) {}

double SearchClock::processor_seconds() const {
  timespec own;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  return static_cast<double>(own.tv_sec) + 1e-9 * static_cast<double>(own.tv_nsec) + target_.processor_seconds();
}

double SearchClock::seconds() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - really_begun_;
  return std::max(processor_seconds() - begun_, kShareOfRealTime * passed.count());
}

}  // namespace heddle::cli
