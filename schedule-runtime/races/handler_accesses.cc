#include "races/handler_accesses.h"

#include <algorithm>
#include <array>
#include <span>

#include "races/access_log.h"
#include "races/race_detector.h"

namespace heddle::rt {
namespace {

// What a handler did lies in the access log and among the events, from one place to another.
struct HandlerRun {
  uint32_t thread;
  size_t first_access, end_of_accesses;
  size_t first_event, end_of_events;
  uintptr_t low, high;

  bool has_access(size_t i) const { return first_access <= i && i < end_of_accesses; }
  bool has_event(size_t i) const { return first_event <= i && i < end_of_events; }
};

constexpr size_t kOpen = ~size_t{0};  // the handler still runs
constexpr size_t kMostRuns = 1024;
constexpr size_t kMostCompared = 16;  // later ones do the same
struct Runs {
  std::array<HandlerRun, kMostRuns> all;
  size_t count;
};
constinit Runs g_runs = {};

std::span<const HandlerRun> runs() { return {g_runs.all.data(), g_runs.count}; }

template <typename Holds>
uint32_t innermost(uint32_t thread, Holds holds) {
  for (size_t i = g_runs.count; i-- > 0;) {
    if (g_runs.all[i].thread == thread && holds(g_runs.all[i])) return static_cast<uint32_t>(i + 1);
  }
  return 0;
}

bool conflict(const LoggedAccess& a, const LoggedAccess& b) {
  return (a.write || b.write) && a.address < b.address + b.size && b.address < a.address + a.size;
}

void compare(const HandlerRun& run, HandlerConflict found) {
  const AccessLog& log = access_log();
  for (size_t i = run.first_access; i < std::min(run.end_of_accesses, log.total()); ++i) {
    if (!log.has(i)) continue;
    const LoggedAccess& handlers = log.at(i);
    if (handlers.thread != run.thread || (run.low <= handlers.address && handlers.address < run.high)) continue;
    for (size_t other = log.total() - log.size(); other < log.total(); ++other) {
      const LoggedAccess& threads = log.at(other);
      if (threads.thread == run.thread && conflict(threads, handlers) && handler_of_access(run.thread, other) == 0) found(threads, handlers);
    }
  }
}

}  // namespace

void handler_accesses_begin() { g_runs.count = 0; }

// The handler's accesses are logged though the thread has made the same.
HandlerAccesses::HandlerAccesses(uint32_t thread, uintptr_t low, uintptr_t high) : run_(g_runs.count) {
  if (!race_detector_watches()) return;
  race_detector_new_epoch(thread);
  if (run_ < kMostRuns) g_runs.all[g_runs.count++] = {thread, access_log().total(), kOpen, race_detector_events(), kOpen, low, high};
}

HandlerAccesses::~HandlerAccesses() {
  if (!race_detector_watches() || run_ >= g_runs.count) return;
  g_runs.all[run_].end_of_accesses = access_log().total();
  g_runs.all[run_].end_of_events = race_detector_events();
}

uint32_t handler_of_access(uint32_t thread, size_t number) {
  return innermost(thread, [number](const HandlerRun& run) { return run.has_access(number); });
}

uint32_t handler_of_event(uint32_t thread, uint32_t event) {
  return innermost(thread, [event](const HandlerRun& run) { return run.has_event(event); });
}

void each_handler_conflict(HandlerConflict found) {
  for (const HandlerRun& run : runs().first(std::min(g_runs.count, kMostCompared))) compare(run, found);
}

void publish_handler_conflicts() { each_handler_conflict(race_detector_conflict); }

}  // namespace heddle::rt
