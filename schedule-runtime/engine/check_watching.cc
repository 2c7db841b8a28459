// HEDDLE_OPTIONS=check_watching=1 checks that the race detector only observes: an execution does the same with it and without it.
#include <cstring>

#include "base/exit_codes.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "races/race_detector.h"

namespace heddle::rt {
namespace {

constinit ReservedArray<Event> g_unwatched;

// Event::left is known of a watched execution only.
bool same(const Event& unwatched, Event watched) {
  watched.left = unwatched.left;
  return memcmp(&unwatched, &watched, sizeof(Event)) == 0;
}

}  // namespace

const RunSummary& Engine::run_both_ways(std::span<const uint8_t> input, Body body, void (*between)()) {
  g_unwatched.reserve(Recorder::kMaxEvents);
  execute(input, body, false);
  const EndReason end = end_reason_;
  const bool compares = !watched_ && end != EndReason::unwatched;
  const size_t count = recorder().events.size();
  memcpy(g_unwatched.data(), recorder().events.data(), count * sizeof(Event));
  let_go();
  if (between != nullptr) between();
  execute(input, body, true);
  size_t at = 0;
  while (at < count && at < recorder().events.size() && same(g_unwatched[at], recorder().events[at])) ++at;
  // Under a weak memory model, from a race on another rule holds for seq_cst (ExecutionGraph::candidates). Orders with a race are never known.
  const bool another_rule = graph::active() && race_detector_raced();
  if (compares && !another_rule && (at != count || count != recorder().events.size() || end != end_reason_)) {
    print_line(2, "heddle: watching for races has changed an execution: event %u of %u unwatched and %u watched, ends %u and %u\n",
               static_cast<uint32_t>(at), static_cast<uint32_t>(count), static_cast<uint32_t>(recorder().events.size()),
               static_cast<uint32_t>(end), static_cast<uint32_t>(end_reason_));
    const auto say = [](const char* how, const Event& e) {
      print_line(2, "heddle:   %s: thread %u object %u %s occurrence %u context %x req %u done %u partner %u value %x choice %u order %u outcome %u flags %x\n",
                 how, e.thread, e.object, kind_info(e.kind).name.data(), e.occurrence, e.context, e.req, e.done, e.partner, e.value, e.choice,
                 static_cast<uint32_t>(e.order), static_cast<uint32_t>(e.outcome), static_cast<uint32_t>(e.flags));
    };
    if (at < count) say("unwatched", g_unwatched[at]);
    if (at < recorder().events.size()) say("watched", recorder().events[at]);
    raw_syscall(SYS_exit_group, kWatchingDiffersExit);
  }
  finish();
  return recorder().summary;
}

}  // namespace heddle::rt
