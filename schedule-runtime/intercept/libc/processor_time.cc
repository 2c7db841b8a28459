// How much of the processor a thread or the process has used: virtual time, as for clock_gettime with such clocks. Programs that measure themselves
// would else go another way in each run.
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

#include "engine/initialisation.h"
#include "intercept/library_access.h"
#include "intercept/own_number.h"
#include "primitives/timing.h"

using namespace heddle::rt;

HEDDLE_REAL(clock);
HEDDLE_LIBRARY_NEXT(int, getrusage, (int who, rusage* to))
HEDDLE_LIBRARY_NEXT(clock_t, times, (tms * to))
HEDDLE_REAL(clock_getcpuclockid);

namespace {

constexpr long long kSecond = 1'000'000'000;
constexpr long long kTick = kSecond / 100;  // USER_HZ of the kernel

// As if the processor had worked for each thread from the beginning on, up to the last time that a clock was read: this read, too, makes time pass for
// a thread that waits for it. So a program never sees more processor time than time that has passed.
long long used(Place place) {
  if (initialises()) return static_cast<long long>(primitives::read_early_clock(CLOCK_PROCESS_CPUTIME_ID));
  const uint64_t before = engine().now();
  primitives::read_clock(CLOCK_PROCESS_CPUTIME_ID, place);
  return static_cast<long long>(before);
}

}  // namespace

HEDDLE_SHIM clock_t clock() noexcept {
  if (is_foreign()) return real_clock();
  return static_cast<clock_t>(used(HEDDLE_HERE) / (kSecond / CLOCKS_PER_SEC));
}

HEDDLE_SHIM int clock_getcpuclockid(pid_t process, clockid_t* to) noexcept {
  if (is_foreign() || number_for_kernel(process) == process) return real_clock_getcpuclockid(process, to);
  value_accessed(to, true, HEDDLE_HERE);
  *to = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}

// Of the program's children the kernel knows. All other figures would be heddle's own.
HEDDLE_SHIM int heddle_getrusage(int who, rusage* to) asm("getrusage");
int heddle_getrusage(int who, rusage* to) {
  const bool of_itself = who == RUSAGE_SELF || who == RUSAGE_THREAD;
  if (is_foreign() || to == nullptr || !of_itself) {
    value_accessed(to, true, HEDDLE_HERE);
    return next_getrusage(who, to);
  }
  rusage own = {};
  const long long time = used(HEDDLE_HERE);
  own.ru_utime = {time / kSecond, time % kSecond / 1000};
  value_accessed(to, true, HEDDLE_HERE);
  *to = own;
  return 0;
}

HEDDLE_SHIM clock_t heddle_times(tms* to) asm("times");
clock_t heddle_times(tms* to) {
  if (is_foreign()) return next_times(to);
  const auto now = static_cast<clock_t>(used(HEDDLE_HERE) / kTick);
  if (to == nullptr) return now;
  value_accessed(to, true, HEDDLE_HERE);
  *to = {};
  to->tms_utime = now;
  return now;
}
