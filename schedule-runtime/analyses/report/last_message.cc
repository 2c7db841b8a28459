#include "analyses/report/last_message.h"

#include <cerrno>

#include "analyses/report/closed_descriptor.h"
#include "analyses/report/file_changed.h"
#include "analyses/report/operation_text.h"
#include "analyses/report/positions.h"
#include "schema/kinds.h"
#include "trace/file_event.h"
#include "trace/file_notes.h"
#include "trace/recorder.h"
#include "trace/transfer_event.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kRecent = 3;  // operations of the thread

bool failed_on_file(uint32_t index) {
  const FileNote* const note = file_notes().of(index);
  return note != nullptr && note->error != 0;
}

bool receives(uint32_t index, const Event& e) {
  if (!e.finished()) return false;
  switch (e.kind) {
    case Kind::channel_receive:
    case Kind::select:
    case Kind::descriptor_read:
    case Kind::descriptor_wait:
    case Kind::file_read: return true;
    case Kind::file_write: return failed_on_file(index) || on_stream(e);  // each call moves the position
    default: return e.outcome == Outcome::timeout || e.outcome == Outcome::spurious || (e.outcome == Outcome::failure && !kind_info(e.kind).has(kAtomic));
  }
}

// Because of which an attempt failed: another thread's last operation on the object, such as its call of a std::call_once. A pipe of which an end was
// closed fails because of that, whatever came after it.
uint32_t other_before(const RunSummary& run, uint32_t failed) {
  const Event& mine = run.events[failed];
  const bool after_a_close = is_transfer(mine) && transfer_error(mine) != EAGAIN;
  uint32_t last = kNoEvent;
  for (uint32_t i = failed; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.object != mine.object || e.thread == mine.thread || !e.finished() || in_vain(e.outcome)) continue;
    if (e.kind == Kind::descriptor_close || !after_a_close) return i;
    if (last == kNoEvent) last = i;
  }
  return last;
}

// What others have done before to a file of that name; or else have written to any file; or else which file they have closed.
uint32_t last_write(const RunSummary& run, uint32_t read) {
  const FileNote* const mine = file_notes().of(read);
  uint32_t closed = kNoEvent, written = kNoEvent;
  for (uint32_t i = read; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.kind != Kind::file_write || e.thread == run.events[read].thread) continue;
    if (!closes_file(e)) {
      const FileNote* const note = file_notes().of(i);
      if (mine == nullptr || (note != nullptr && note->may_concern_file_of(*mine))) return i;
      if (written == kNoEvent) written = i;
    } else if (closed == kNoEvent && e.object != 0) {
      closed = i;
    }
  }
  return written != kNoEvent ? written : closed;
}

// The operation that this one comes from; kNoEvent: none is known.
uint32_t comes_from(const RunSummary& run, uint32_t received) {
  const Event& e = run.events[received];
  if (on_stream(e)) return other_before(run, received);
  if (e.kind == Kind::file_read || e.kind == Kind::file_write) return last_write(run, received);
  // Of a pipe or socket it is not known whose bytes a read has taken.
  const bool unknown = e.outcome == Outcome::failure || e.kind == Kind::descriptor_read;
  return e.partner == kNoEvent && unknown ? other_before(run, received) : e.partner;
}

}  // namespace

bool add_last_message(Story& story, const RunSummary& run, const FailingMoment& at) {
  uint32_t seen = 0;
  for (uint32_t i = at.events; i-- > 0 && seen < kRecent;) {
    const Event& e = run.events[i];
    if (e.thread != at.thread) continue;
    ++seen;
    if (!receives(i, e)) continue;
    const uint32_t from = comes_from(run, i);
    if (from == kNoEvent && on_stream(e)) continue;  // nobody else has used it: only its file matters
    story.add_event(i);
    story.add_event(from);
    return true;
  }
  return false;
}

void add_failed_attempt(Story& story, const RunSummary& run, const FailingMoment& at) {
  for (uint32_t i = at.events; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread != at.thread) continue;
    if (!e.finished() || e.outcome != Outcome::failure || kind_info(e.kind).has(kAtomic)) return;
    const uint32_t from = comes_from(run, i);
    const uint32_t site = user_site(recorder().position_of(run.events, i), recorder().context_of(i));
    if (from == kNoEvent || !on_one_line(user_frame(site), user_frame(user_site(at.position, at.context)))) return;
    story.add_event(from);
    story.add_event(i);
    return;
  }
}

void add_failed_call(Story& story, const RunSummary& run, const FailingMoment& at) {
  uint32_t seen = 0;
  for (uint32_t i = at.events; i-- > 0 && seen < kRecent;) {
    const Event& e = run.events[i];
    if (e.thread != at.thread) continue;
    if (const uint32_t close = failed_after_close(e) ? close_before(run, e.object, i) : kNoEvent; close != kNoEvent) {
      story.add_event(i);
      return add_close(story, run, close);
    }
    if (e.kind != Kind::file_read && e.kind != Kind::file_write) return;
    ++seen;
    if (!failed_on_file(i)) continue;
    const uint32_t change = last_write(run, i);
    for (const uint32_t event : {i, look_before(run, i, change)}) story.add_event(event);
    if (change != kNoEvent) add_close(story, run, change);
    return;
  }
}

}  // namespace heddle::rt
