#include "analyses/report/slice.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "analyses/report/positions.h"
#include "analyses/report/slice_steps.h"
#include "races/handler_accesses.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kRecent = 3;  // events of the failing thread among which its last read counts, if none is at the place of the failure

// The number of events before the thread's latest few of its own code.
uint32_t recent(const RunSummary& run, const FailingMoment& at) {
  uint32_t seen = 0;
  for (uint32_t i = at.events; i-- > 0;) {
    if (run.events[i].thread != at.thread || in_library_primitive(recorder().position_of(run.events, i))) continue;
    if (++seen == kRecent) return i;
  }
  return 0;
}

// Another thread is about to write the object that the step read.
bool is_awaited(Story& story, const RunSummary& run, const MemoryStep& read) {
  const uint32_t object = read.event != kNoEvent ? run.events[read.event].object : 0;
  for (uint32_t t = 0; object != 0 && t < run.thread_count; ++t) {
    Event e;
    uint32_t context;
    if (t == read.thread || !live_state().pending(t, e, context) || e.object != object || !kind_info(e.kind).has(kWrites)) continue;
    story.awaited = object;
    return true;
  }
  return false;
}

}  // namespace

FailingMoment place_of_failure(const Story& story, const RunSummary& run) {
  const Stack& here = story.stacks[0];
  return {story.thread, here.position, here.context, run.event_count, access_log().total()};
}

Explained add_slice(Story& story, const RunSummary& run, const FailingMoment& at) {
  if (at.thread >= run.thread_count) return Explained::not_at_all;
  const Frame here = user_frame(user_site(at.position, at.context));
  const MemorySteps steps(run, at.events, at.accesses, at.ended);
  Slice slice(steps);
  const uint32_t from = recent(run, at);
  const uint32_t handler = handler_of_event(at.thread, at.events);
  uint32_t last_read = kNoStep, looks = 0, other_count = 0, others[2];  // before the last read: what else it had read from others
  bool at_line = true, last_from_others = false, last_given = false;
  for (uint32_t i = steps.end(); i-- > 0 && !slice.full() && looks < Slice::kLooks;) {
    const MemoryStep& s = steps[i];
    if (s.before < at.since) break;
    if (s.thread != at.thread || s.handler != handler || s.inside) continue;
    ++looks;
    const uint32_t source = s.reads ? steps.source(i) : kNoStep;
    const bool given = steps.before_birth(i, source);
    const bool from_others = source != kNoStep && !steps[source].same_actor(s) && !given;
    const bool here_again = comes_from(run, s, here);
    // Back to where the thread came to this line.
    at_line = slice.empty() || (at_line && here_again);
    if (!here_again || !at_line) {
      if (s.before < from || (!at_line && last_read != kNoStep)) break;
      if (last_read == kNoStep && (from_others || (at_line && s.reads && s.event != kNoEvent))) last_read = i, last_from_others = from_others, last_given = given;
      else if (from_others && other_count < std::size(others) && !s.overlaps(steps[last_read]) && steps.may_decide(i)) others[other_count++] = i;
    } else if (s.reads) {
      if (s.event == kNoEvent && !from_others && !given) continue;
      if (!given) slice.follow_read(i);
      if (!from_others) slice.follow_early_read(i, is_awaited(story, run, s));
    }
  }
  // A decision right before the line counts, too, if nothing that the line reads is wrong.
  const bool nothing_at_line = slice.empty();
  if (last_read != kNoStep && !last_given && (nothing_at_line || (last_from_others && !slice.odd()))) slice.follow_read(last_read);
  if (!slice.shared() && last_read != kNoStep) slice.follow_early_read(last_read, is_awaited(story, run, steps[last_read]));
  for (uint32_t n = 0; n < other_count && nothing_at_line && !slice.odd(); ++n) slice.follow_read(others[n]);
  if (!slice.shared()) slice.follow_counts(run, at.thread, here);
  slice.add_lost_write();
  slice.add_outdated_source();
  slice.add_outdated_check(at.thread, handler);
  if (slice.shared()) slice.add_decisions(run, at.thread), slice.tell(story, run);
  return slice.shared() ? slice.odd() ? Explained::wholly : Explained::partly : Explained::not_at_all;
}

bool add_history(Story& story, const RunSummary& run, const FailingMoment& at) {
  if (at.thread >= run.thread_count) return false;
  const Frame here = user_frame(user_site(at.position, at.context));
  const MemorySteps steps(run, at.events, at.accesses, at.ended);
  Slice slice(steps);
  const uint32_t from = recent(run, at), handler = handler_of_event(at.thread, at.events);
  bool at_line = false;
  for (uint32_t i = steps.end(), looks = 0; i-- > 0 && looks < Slice::kLooks && !slice.shared();) {
    const MemoryStep& s = steps[i];
    if (s.before < at.since) break;
    if (s.thread != at.thread || s.handler != handler || s.inside) continue;
    ++looks;
    if (!comes_from(run, s, here)) {
      if (at_line || s.before < from) break;
      continue;
    }
    at_line = true;
    const uint32_t source = s.reads ? steps.source(i) : kNoStep;
    if (s.reads && !steps.before_birth(i, source)) slice.add_history(i);
  }
  if (slice.shared()) slice.tell(story, run);
  return slice.shared();
}

}  // namespace heddle::rt
