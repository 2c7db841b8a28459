#include "analyses/report/last_message.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kRecent = 3;  // operations of the thread

bool receives(const Event& e) {
  return e.finished() && (e.kind == Kind::channel_receive || e.kind == Kind::select || e.kind == Kind::descriptor_read || e.kind == Kind::descriptor_wait);
}

}  // namespace

bool add_last_message(Story& story, const RunSummary& run, const FailingMoment& at) {
  uint32_t seen = 0;
  for (uint32_t i = at.events; i-- > 0 && seen < kRecent;) {
    const Event& e = run.events[i];
    if (e.thread != at.thread) continue;
    ++seen;
    if (!receives(e)) continue;
    story.add_event(i);
    if (e.partner < run.event_count) story.add_event(e.partner);
    return true;
  }
  return false;
}

}  // namespace heddle::rt
