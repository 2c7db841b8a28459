#include "analyses/report/row_text.h"

#include "analyses/report/names.h"
#include "analyses/report/operation_text.h"
#include "analyses/report/positions.h"
#include "analyses/report/row_places.h"
#include "analyses/report/values.h"
#include "races/handler_accesses.h"
#include "schema/coherence.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

bool blocked(const RunSummary& run, const Event& e) {
  if (e.thread >= run.thread_count) return false;
  const auto end = static_cast<ThreadEnd>(run.threads[e.thread].state);
  return end == ThreadEnd::blocked || end == ThreadEnd::joinable_blocked;
}

// Of another thread, or of a handler that interrupted this one.
bool written_elsewhere(const RunSummary& run, const Row& r, const Writer& writer) {
  if (writer.thread != r.event.thread) return true;
  return writer.known == Writer::event && handler_of_event(writer.thread, run.events[r.index].partner) != handler_of_event(writer.thread, r.index);
}

void put_author(Text& cell, const RunSummary& run, uint32_t thread, bool handles) {
  cell.put("written by ");
  put_thread(cell, run, thread);
  cell.put(handles ? "'s handler (" : " (");
}

// Who has written what the operation reads, if that was not the reader.
void put_writer(Text& cell, const RunSummary& run, const Row& r) {
  if (r.aside != nullptr && r.aside->writer != kNoEvent) {
    cell.put(", ");
    put_author(cell, run, r.aside->writer, r.aside->writer_handles);
    put_cell_place(cell, user_frame(r.aside->writer_position));
    return cell.put(")");
  }
  if (r.index >= run.event_count || r.varies) return;
  const Event& e = r.event;
  const Writer writer = writer_of(run, r.index);
  const bool stale = is_stale(e);  // says by itself what it reads
  if (writer.known == Writer::initial && e.kind != Kind::atomic_rmw && e.kind != Kind::atomic_cas && !stale) cell.put(", initial value");
  if (writer.known < Writer::event || !written_elsewhere(run, r, writer) || own_site(user_site(writer.site, writer.context))) return;
  const EventValues* const values = recorder().values.of(r.index);
  cell.put(", ");
  if (values != nullptr && (values->known & EventValues::kRead) != 0 && (values->known & EventValues::kStored) != 0 && values->size <= 8) {
    put_value(cell, values->read, values->size);
    cell.put(" ");
  }
  put_author(cell, run, writer.thread, writer.known == Writer::event && handler_of_event(writer.thread, e.partner) != 0);
  put_cell_place(cell, user_frame(user_site(writer.site, writer.context)));
  cell.put(writer.known == Writer::at_least ? " or later)" : ")");
}

// Under a weak memory model: an operation on an atomic that did not read the newest store, or whose own store is not the newest.
void put_staleness(Text& cell, const RunSummary& run, const Event& e) {
  if (!is_stale(e)) return;
  if (e.partner != kNoEvent) cell.add(" [stale: reads step %u]", run.events[e.partner].done);
  else cell.put(kind_info(e.kind).has(kReads) ? " [stale: reads the initial value]" : " [overtaken]");
}

}  // namespace

void put_row_text(Text& cell, const RunSummary& run, const Row& row) {
  const Event& e = row.event;
  if (row.aside != nullptr) {
    cell.put(row.aside->words);
  } else {
    if (!e.finished()) cell.put(blocked(run, e) ? "BLOCKED: " : "next: ");
    put_operation(cell, run, e, row.varies ? kNoEvent : row.index);
  }
  if (!own_site(site_of_row(row))) {
    cell.put(" (");
    put_cell_place(cell, frame_of_row(row));
    cell.put(")");
  }
  put_writer(cell, run, row);
  if (e.finished() && (e.flags & kEventContended) != 0) cell.put(" after waiting");
  put_staleness(cell, run, e);
  if ((e.flags & kEventReleased) != 0) cell.put(" [constraint dropped]");
  else if ((e.flags & kEventHeld) != 0) cell.put(" [constrained]");
  else if ((e.flags & kEventDelayed) != 0) cell.put(" [delayed]");
  if (row.count > 1) cell.add(row.period == 2 ? " (alternating, %u times)" : " (%u times)", row.count);
}

}  // namespace heddle::rt
