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

// Another thread's last change of the file before this one; kNoEvent: none came after the own thread's last call on it. `look`: that call, if it is a look.
uint32_t change_before(const RunSummary& run, uint32_t write, uint32_t& look) {
  uint32_t change = kNoEvent;
  for (uint32_t i = write; i-- > 0;) {
    const Event& e = run.events[i];
    if ((!looks(e) && !changes(e)) || !may_be_of_one_file(write, i)) continue;
    if (e.thread == run.events[write].thread) {
      look = looks(e) ? i : kNoEvent;
      return change;
    }
    if (changes(e) && change == kNoEvent) change = i;
  }
  return kNoEvent;
}

}  // namespace

uint32_t look_before(const RunSummary& run, uint32_t call, uint32_t change) {
  for (uint32_t i = call; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread == run.events[call].thread && (looks(e) || changes(e)) && may_be_of_one_file(call, i)) return i < change && looks(e) ? i : kNoEvent;
  }
  return kNoEvent;
}

bool add_file_changed(Story& story, const RunSummary& run, const FailingMoment& at) {
  for (uint32_t write = at.events; write-- > 0;) {
    if (!changes(run.events[write])) continue;
    uint32_t look = kNoEvent;
    const uint32_t change = change_before(run, write, look);
    if (change == kNoEvent || look == kNoEvent) continue;
    for (const uint32_t event : {look, change, write}) story.add_event(event);
    return true;
  }
  return false;
}

}  // namespace heddle::rt
