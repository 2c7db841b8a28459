#include "analyses/report/rows.h"

#include <sys/single_threaded.h>

#include <cstdio>
#include <cstring>

#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/process_calls.h"
#include "analyses/report/values.h"
#include "analyses/spin.h"
#include "base/elf.h"
#include "base/options.h"
#include "base/path.h"
#include "schema/coherence.h"
#include "trace/live_state.h"
#include "trace/message_notes.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constinit ReservedArray<Row> g_rows;

bool marked(const Story& story, std::span<const uint32_t> also, uint32_t event) {
  for (uint32_t i = 0; i < story.event_count; ++i) {
    if (story.events[i] == event) return true;
  }
  for (const uint32_t other : also) {
    if (other == event) return true;
  }
  return false;
}

// True for objects of the unwinder, for the C library's flag that says whether there are threads, and for initialisation flags of the standard library. Copying a std::shared_ptr or throwing an exception uses these.
bool libraries_own(const Event& e) {
  const uintptr_t address = e.object != 0 ? live_state().object_address(e.object) : 0;
  if (address == reinterpret_cast<uintptr_t>(&__libc_single_threaded)) return true;
  const char* module = address != 0 ? module_name_of(address) : nullptr;
  if (module == nullptr) return false;
  module = base_name(module);
  const auto is = [&](const char* library) { return strncmp(module, library, strlen(library)) == 0; };
  if (is("libgcc_s") || is("libunwind")) return true;
  return (e.kind == Kind::once_begin || e.kind == Kind::once_end) && (is("libstdc++") || is("libc++"));
}

bool same_priority(uint32_t a, uint32_t b) {
  const MessageNote *const x = message_notes().of(a), *const y = message_notes().of(b);
  return x == nullptr || y == nullptr ? x == y : x->priority == y->priority;
}

// One more operation in the row.
void absorb(Row& row, const RunSummary& run, uint32_t event) {
  ++row.count;
  row.passed += time_notes().passed_before(event);
  row.varies |= !equal_values(run, row.index, event) || !same_priority(row.index, event);
}

// Folds into one row for each operation of the loops, the first of its kind.
bool fold_spin(ReservedArray<Row>& rows, size_t first, const Event& e, const RunSummary& run, uint32_t event) {
  for (size_t i = first; i < rows.size(); ++i) {
    if (rows[i].marked || !foldable(rows[i].event, e)) continue;
    absorb(rows[i], run, event);
    return true;
  }
  return false;
}

// Folds `a a a` and `a b a b a b`.
bool fold(ReservedArray<Row>& rows, const Event& e, const RunSummary& run, uint32_t event) {
  const size_t n = rows.size();
  if (n >= 1 && foldable(rows[n - 1].event, e) && rows[n - 1].period <= 1 && !rows[n - 1].marked) {
    rows[n - 1].period = 1;
    absorb(rows[n - 1], run, event);
    return true;
  }
  if (n >= 2 && foldable(rows[n - 2].event, e) && !rows[n - 1].marked && !rows[n - 2].marked) {
    const bool in_step = rows[n - 2].count == rows[n - 1].count;
    if (rows[n - 2].period == 2 && in_step) {
      absorb(rows[n - 2], run, event);
      return true;
    }
  }
  if (n >= 2 && rows[n - 1].period == 2 && foldable(rows[n - 1].event, e) && rows[n - 2].count == rows[n - 1].count + 1) {
    absorb(rows[n - 1], run, event);
    return true;
  }
  // a b a b: the second pair is now complete.
  if (n >= 3 && rows[n - 1].period == 0 && rows[n - 2].period == 0 && rows[n - 3].period == 0 &&
      foldable(rows[n - 2].event, e) && foldable(rows[n - 3].event, rows[n - 1].event) && !rows[n - 1].marked &&
      !rows[n - 2].marked && !rows[n - 3].marked) {
    rows[n - 3].period = rows[n - 2].period = 2;
    absorb(rows[n - 3], run, rows[n - 1].index);
    absorb(rows[n - 2], run, event);
    rows.resize(n - 1);
    return true;
  }
  return false;
}

void put_aside(ReservedArray<Row>& rows, const Aside& aside) {
  Event none = {};  // of the kind none: not an operation
  none.thread = aside.thread;
  none.pc_index = aside.position;
  rows.push() = {none, kNoEvent, aside.context, 1, 0, true, false, true, false, false, 0, &aside};
}

// Those that came before this event, and have no row yet. A row for each, in the thread's column.
void put_asides(ReservedArray<Row>& rows, const Story& story, uint32_t event, uint32_t& done) {
  for (uint32_t i = 0; i < story.aside_count; ++i) {
    const Aside& aside = story.asides[i];
    if ((done & 1u << i) != 0 || aside.before > event || aside.event != kNoEvent || rows.full()) continue;
    done |= 1u << i;
    put_aside(rows, aside);
  }
}

// The notes that came before this event, and have no row yet.
void put_notes(ReservedArray<Row>& rows, const RunSummary& run, const Story& story, uint32_t first_explaining, uint32_t event, uint32_t& next) {
  static constinit Aside words[RunNotes::kMost] = {};
  for (; next < run_notes().size() && run_notes()[next].events <= event && !rows.full(); ++next) {
    const RunNote& note = run_notes()[next];
    Aside& aside = words[next];
    aside = {note.thread, note.events, kNoEvent, note.site, note.context, {}};
    put_note_words(aside.words, run, note);
    put_aside(rows, aside);
    Row& row = rows[rows.size() - 1];
    row.marked = note.what == RunNote::process_call ? next >= first_explaining && strcmp(note.call, run_notes()[first_explaining].call) == 0
                                                    : note.what == RunNote::destroyed && note.object == story.object;
    row.event.object = note.object;
    row.event.req = row.event.done = 1;  // it has happened
  }
}

const Aside* aside_of(const Story& story, uint32_t event) {
  for (uint32_t i = 0; i < story.aside_count; ++i) {
    if (story.asides[i].event == event) return &story.asides[i];
  }
  return nullptr;
}

}  // namespace

ReservedArray<Row>& rows() { return g_rows; }

bool foldable(const Event& a, const Event& b) { return same_turn(a, b) && a.finished() && b.finished() && !is_stale(a) && !is_stale(b); }

void put_note_words(std::span<char> out, const RunSummary& run, const RunNote& note) {
  if (note.what == RunNote::process_call) {
    snprintf(out.data(), out.size(), "%s%s", note.call, note.with);
    return;
  }
  const char* const did = note.what == RunNote::destroyed ? "destroy" : note.what == RunNote::timer_stopped ? "stop" : "reset";
  snprintf(out.data(), out.size(), "%s %s%s", did, object_name(run, note.object), note.had_effect ? "" : ": was not running");
}

void gather_rows(const RunSummary& run, const Story& story, std::span<const uint32_t> also, bool show_pending) {
  ReservedArray<Row>& rows = g_rows;
  rows.reserve((1 << 20) + (1 << 14));
  rows.clear();
  const bool spins = story.type == FindingType::livelock || story.type == FindingType::endless_threads;
  const uint32_t spin = spins ? spin_begin(run) : run.event_count;
  const uint32_t first_explaining = first_process_call(run, story);
  size_t first_of_spin = 0;
  uint32_t asides = 0, notes = 0;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    Event e = run.events[i];
    e.pc_index = recorder().position_of(run.events, i);
    if (i == spin) first_of_spin = rows.size();
    put_asides(rows, story, i, asides);
    put_notes(rows, run, story, first_explaining, i, notes);
    if (e.thread == 0 && (e.kind == Kind::thread_start || e.kind == Kind::thread_exit)) continue;  // the harness's
    const Aside* const aside = aside_of(story, i);
    const bool keep = aside != nullptr || marked(story, also, i);
    if (!keep && e.finished() && libraries_own(e)) continue;
    if (!keep && e.finished() && (i >= spin ? fold_spin(rows, first_of_spin, e, run, i) : fold(rows, e, run, i))) continue;
    if (aside != nullptr) e.pc_index = aside->position;
    rows.push() = {e, i, aside != nullptr ? aside->context : recorder().context_of(i), 1, 0, keep, false, true, false, false, time_notes().passed_before(i), aside};
  }
  put_asides(rows, story, kNoEvent, asides);
  put_notes(rows, run, story, first_explaining, kNoEvent, notes);
  if (story.thread < run.thread_count && story.stack_count != 0 && !rows.full()) {
    static constinit Aside here = {};
    here = {story.thread, kNoEvent, kNoEvent, story.stacks[0].position, story.stacks[0].context, {}};
    here.failure = true;
    snprintf(here.words, sizeof here.words, "HERE: %s%s%s", finding_name(story.type), story.now[0] != 0 ? ": " : "", story.now);
    put_aside(rows, here);
  }
  if (!show_pending) return;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    Event e;
    uint32_t context;
    const bool awaited = live_state().pending(t, e, context) && story.awaited != 0 && e.object == story.awaited && kind_info(e.kind).has(kWrites);
    if (!rows.full() && live_state().pending(t, e, context)) rows.push() = {e, kNoEvent, context, 1, 0, awaited, false, true, false, false};
  }
}

}  // namespace heddle::rt
