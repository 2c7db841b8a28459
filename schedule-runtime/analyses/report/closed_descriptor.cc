#include "analyses/report/closed_descriptor.h"

#include <cerrno>

#include "trace/file_event.h"
#include "trace/file_notes.h"
#include "trace/transfer_event.h"

namespace heddle::rt {
namespace {

bool closes(const Event& e) { return e.kind == Kind::descriptor_close && e.finished() && e.outcome != Outcome::failure; }

// The number that it closes, or opens a file with; 0: none (a shutdown), or not known.
uint32_t number_of(const RunSummary& run, uint32_t event) {
  if (closes(run.events[event])) return run.events[event].value;
  const FileNote* const note = file_notes().of(event);
  return note != nullptr && note->error == 0 && note->number > 0 ? static_cast<uint32_t>(note->number) : 0;
}

bool closes_number(const RunSummary& run, uint32_t event, uint32_t number) {
  const Event& e = run.events[event];
  return e.finished() && (closes(e) || closes_file(e)) && number_of(run, event) == number;
}

// Where this number was closed before; kNoEvent: nowhere.
uint32_t earlier_close(const RunSummary& run, uint32_t close) {
  const uint32_t number = number_of(run, close);
  for (uint32_t i = close; number != 0 && i-- > 0;) {
    if (closes_number(run, i, number)) return i;
  }
  return kNoEvent;
}

// Gave the number that was free since `earlier` to something. The object of a descriptor_open is the one that had the number before.
bool opens(const RunSummary& run, uint32_t event, uint32_t earlier) {
  const Event& e = run.events[event];
  if (!e.finished()) return false;
  if (e.kind == Kind::descriptor_open) return e.object != 0 && e.object == run.events[earlier].object;
  return !closes_file(e) && number_of(run, event) == number_of(run, earlier);
}

}  // namespace

uint32_t close_before(const RunSummary& run, uint32_t object, uint32_t before) {
  for (uint32_t i = before; object != 0 && i-- > 0;) {
    if (closes(run.events[i]) && run.events[i].object == object) return i;
  }
  return kNoEvent;
}

void add_close(Story& story, const RunSummary& run, uint32_t close) {
  story.add_event(close);
  const uint32_t earlier = earlier_close(run, close);
  for (uint32_t i = close; earlier != kNoEvent && i-- > earlier + 1;) {
    if (!opens(run, i, earlier)) continue;
    if (run.events[i].thread == run.events[close].thread) return;
    story.add_event(earlier);
    story.add_event(i);
    return;
  }
}

bool failed_after_close(const Event& e) {
  if (!is_transfer(e) || !e.finished() || e.outcome != Outcome::failure) return false;
  const int error = transfer_error(e);
  return error == EBADF || error == EPIPE || error == ECONNRESET;
}

}  // namespace heddle::rt
