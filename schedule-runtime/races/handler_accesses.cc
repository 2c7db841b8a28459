#include "races/handler_accesses.h"

#include <array>
#include <span>

#include "races/access_log.h"
#include "races/race_detector.h"

namespace heddle::rt {
namespace {

// What a handler did lies in the access log, from one place to another.
struct HandlerRun {
  uint32_t thread;
  size_t first, end;
  uintptr_t low, high;

  bool holds(size_t i) const { return first <= i && i < end; }
};

constexpr size_t kMostRuns = 16;  // later ones do the same
struct Runs {
  std::array<HandlerRun, kMostRuns> all;
  size_t count;
};
constinit Runs g_runs = {};

std::span<const HandlerRun> runs() { return {g_runs.all.data(), g_runs.count}; }

bool in_a_handler(uint32_t thread, size_t i) {
  for (const HandlerRun& run : runs()) {
    if (run.thread == thread && run.holds(i)) return true;
  }
  return false;
}

bool conflict(const LoggedAccess& a, const LoggedAccess& b) {
  return (a.write || b.write) && a.address < b.address + b.size && b.address < a.address + a.size;
}

void publish(const HandlerRun& run) {
  const AccessLog& log = access_log();
  for (size_t i = run.first; i < run.end; ++i) {
    if (!log.has(i)) continue;
    const LoggedAccess& handlers = log.at(i);
    if (handlers.thread != run.thread || (run.low <= handlers.address && handlers.address < run.high)) continue;
    for (size_t other = log.total() - log.size(); other < log.total(); ++other) {
      const LoggedAccess& threads = log.at(other);
      if (threads.thread == run.thread && conflict(threads, handlers) && !in_a_handler(run.thread, other)) race_detector_conflict(threads, handlers);
    }
  }
}

}  // namespace

void handler_accesses_begin() { g_runs.count = 0; }

// The handler's accesses are logged though the thread has made the same.
HandlerAccesses::HandlerAccesses(uint32_t thread, uintptr_t low, uintptr_t high) : thread_(thread), low_(low), high_(high), first_(access_log().total()) {
  if (race_detector_watches()) race_detector_new_epoch(thread);
}

HandlerAccesses::~HandlerAccesses() {
  if (!race_detector_watches() || g_runs.count == kMostRuns) return;
  g_runs.all[g_runs.count++] = {thread_, first_, access_log().total(), low_, high_};
}

void publish_handler_conflicts() {
  for (const HandlerRun& run : runs()) publish(run);
}

}  // namespace heddle::rt
