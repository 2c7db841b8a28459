#include "analyses/report/file_changed.h"

#include "analyses/report/operation_text.h"
#include "trace/file_event.h"
#include "trace/file_notes.h"

namespace heddle::rt {
namespace {

bool looks(const Event& e) { return e.kind == Kind::file_read && e.finished() && !on_stream(e); }
bool changes(const Event& e) { return e.kind == Kind::file_write && e.finished() && !closes_file(e) && !on_stream(e); }

bool may_be_of_one_file(uint32_t a, uint32_t b) {
  const FileNote *const mine = file_notes().of(a), *const other = file_notes().of(b);
  return mine != nullptr && other != nullptr && other->may_concern_file_of(*mine);
}

// The thread's last call on the file of this one; kNoEvent: none.
uint32_t own_call_before(const RunSummary& run, uint32_t call) {
  for (uint32_t i = call; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread == run.events[call].thread && (looks(e) || changes(e)) && may_be_of_one_file(call, i)) return i;
  }
  return kNoEvent;
}

// Another thread's last change of the file of this call since then; kNoEvent: none.
uint32_t change_between(const RunSummary& run, uint32_t since, uint32_t call) {
  for (uint32_t i = call; i-- > since + 1;) {
    const Event& e = run.events[i];
    if (e.thread != run.events[call].thread && changes(e) && may_be_of_one_file(call, i)) return i;
  }
  return kNoEvent;
}

}  // namespace

uint32_t look_before(const RunSummary& run, uint32_t call, uint32_t change) {
  const uint32_t look = own_call_before(run, call);
  return look < change && looks(run.events[look]) ? look : kNoEvent;
}

bool add_file_changed(Story& story, const RunSummary& run, const FailingMoment& at) {
  for (uint32_t write = at.events; write-- > 0;) {
    if (!changes(run.events[write])) continue;
    const uint32_t look = look_before(run, write, write);
    const uint32_t change = look != kNoEvent ? change_between(run, look, write) : kNoEvent;
    if (change == kNoEvent) continue;
    for (const uint32_t event : {look, change, write}) story.add_event(event);
    return true;
  }
  return false;
}

}  // namespace heddle::rt
