#include "analyses/report/closed_descriptor.h"

#include <cerrno>

#include "trace/transfer_event.h"

namespace heddle::rt {
namespace {

bool closes(const Event& e) { return e.kind == Kind::descriptor_close && e.finished() && e.outcome != Outcome::failure; }

// A shutdown closes no number.
uint32_t number_of(const Event& close) { return close.value; }

// Where this number was closed before; kNoEvent: nowhere.
uint32_t earlier_close(const RunSummary& run, uint32_t close) {
  const uint32_t number = number_of(run.events[close]);
  for (uint32_t i = close; number != 0 && i-- > 0;) {
    if (closes(run.events[i]) && number_of(run.events[i]) == number) return i;
  }
  return kNoEvent;
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
    const Event& e = run.events[i];
    // The object of an open is the one that had the number before.
    if (e.kind != Kind::descriptor_open || !e.finished() || e.object != run.events[earlier].object) continue;
    if (e.thread == run.events[close].thread) return;
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
