#include "analyses/report/last_message.h"

#include "schema/kinds.h"
#include "trace/file_event.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kRecent = 3;  // operations of the thread

bool receives(const Event& e) {
  if (!e.finished()) return false;
  switch (e.kind) {
    case Kind::channel_receive:
    case Kind::select:
    case Kind::descriptor_read:
    case Kind::descriptor_wait:
    case Kind::file_read: return true;
    default: return e.outcome == Outcome::timeout || (e.outcome == Outcome::failure && !kind_info(e.kind).has(kAtomic));
  }
}

// Because of which an attempt failed: another thread's last operation on the object, such as its call of a std::call_once.
uint32_t other_before(const RunSummary& run, uint32_t failed) {
  for (uint32_t i = failed; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.object == run.events[failed].object && e.thread != run.events[failed].thread && e.finished() && !in_vain(e.outcome)) return i;
  }
  return kNoEvent;
}

// What others have written to files before, or else which file they have closed. (Which file it is, is not known here.)
uint32_t last_write(const RunSummary& run, uint32_t read) {
  uint32_t closed = kNoEvent;
  for (uint32_t i = read; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.kind != Kind::file_write || e.thread == run.events[read].thread) continue;
    if (!closes_file(e)) return i;
    if (closed == kNoEvent && e.object != 0) closed = i;
  }
  return closed;
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
    story.add_event(e.kind == Kind::file_read ? last_write(run, i) : e.partner == kNoEvent && e.outcome == Outcome::failure ? other_before(run, i) : e.partner);
    return true;
  }
  return false;
}

}  // namespace heddle::rt
