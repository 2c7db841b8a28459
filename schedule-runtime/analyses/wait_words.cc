#include "analyses/wait_words.h"

#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/values.h"
#include "analyses/wait_graph.h"
#include "trace/live_state.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostLines = 12;

// "    a case receives from C1".
void put_cases(Text& out, const RunSummary& run, uint32_t select) {
  for (uint32_t c = 0; c < run.select_case_count; ++c) {
    const SelectCase& s = run.select_cases[c];
    const auto direction = static_cast<CaseDirection>(s.direction);
    if (s.event != select || direction == CaseDirection::otherwise) continue;
    out.put(direction == CaseDirection::send ? "    a case sends on " : "    a case receives from ");
    out.put(s.object != 0 ? object_name(run, s.object) : "a nil channel");
    out.put("\n");
  }
}

uint32_t next_addition(const RunSummary& run, uint32_t add) {
  for (uint32_t i = add + 1; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.object == run.events[add].object && e.kind == Kind::wait_group_add && e.finished()) return i;
  }
  return kNoEvent;
}

// The next addition is the same, by the same thread at the same place.
bool same_again(const RunSummary& run, uint32_t add, int64_t change) {
  const uint32_t next = next_addition(run, add);
  if (next == kNoEvent) return false;
  const Event &a = run.events[add], &b = run.events[next];
  return a.thread == b.thread && a.pc_index == b.pc_index && b.outcome == a.outcome && static_cast<int64_t>(b.value) - static_cast<int64_t>(a.value) == change;
}

// "    its count is 1: main called add(2) (queue.cc:12), main.0 called done() (queue.cc:40)".
void put_count(Text& out, const RunSummary& run, uint32_t group) {
  uint32_t count = 0, lines = 0;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    if (run.events[i].object == group && run.events[i].kind == Kind::wait_group_add && run.events[i].finished()) count = run.events[i].value;
  }
  out.add("    its count is %u:", count);
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.object != group || e.kind != Kind::wait_group_add || !e.finished() || e.outcome == Outcome::failure) continue;
    if (lines++ == kMostLines) {
      out.put(", ...");
      break;
    }
    const auto change = static_cast<int64_t>(e.value) - static_cast<int64_t>(count_before(run, i));
    out.put(lines == 1 ? " " : ", ");
    put_thread(out, run, e.thread);
    if (change == -1) out.put(" called done() (");
    else out.add(" called add(%lld) (", static_cast<long long>(change));
    put_place(out, e.pc_index);
    out.put(")");
    uint32_t again = 0;
    for (; same_again(run, i, change); ++again) i = next_addition(run, i);
    if (again != 0) out.add(" %u times", again + 1);
  }
  out.put("\n");
}

// "    arrived in this round: main (round.c:18), main.0 (round.c:18)". How many have to is not in the events.
void put_arrivals(Text& out, const RunSummary& run, uint32_t barrier) {
  uint32_t left = 0, first = run.event_count;
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.object != barrier || e.kind != Kind::barrier_arrive || !e.finished()) continue;
    if (first == run.event_count) left = e.value;
    if (left-- == 0) break;
    first = i;
  }
  uint32_t lines = 0;
  for (uint32_t i = first; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.object != barrier || e.kind != Kind::barrier_arrive || !e.finished()) continue;
    out.put(lines == 0 ? "    arrived in this round: " : ", ");
    if (lines++ == kMostLines) {
      out.put("...");
      break;
    }
    put_thread(out, run, e.thread);
    out.put(" (");
    put_place(out, e.pc_index);
    out.put(")");
  }
  if (lines != 0) out.put("\n");
}

}  // namespace

void put_wait_details(Text& out, const RunSummary& run, uint32_t wait) {
  const Event& e = run.events[wait];
  if (e.kind == Kind::select) put_cases(out, run, wait);
  if (e.kind == Kind::wait_group_wait) put_count(out, run, e.object);
  if (e.kind == Kind::barrier_leave) put_arrivals(out, run, e.object);
}

void add_cancellation(Story& story, const RunSummary& run, uint32_t wait) {
  const uint32_t thread = run.events[wait].thread;
  uint32_t object = 0, cancel = kNoEvent;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.thread == thread && e.kind == Kind::thread_start) object = e.object;
    if (e.thread == thread && e.kind == Kind::thread_cancelled) return;
    if (object != 0 && e.object == object && e.kind == Kind::thread_cancel && e.finished() && cancel == kNoEvent) cancel = i;
  }
  if (cancel == kNoEvent) return;
  story.what.put("    ");
  put_thread(story.what, run, run.events[cancel].thread);
  story.what.put(" cancelled it at ");
  put_event_place(story.what, run, cancel);
  story.what.put(". That does not end this wait.\n");
  story.add_event(cancel);
}

// Timers and contexts send, too, and have names.
const char* words_of_none(const RunSummary& run, uint32_t wait) {
  const Event& w = run.events[wait];
  if (w.object == 0 || live_state().object_label(w.object) != nullptr || last_taker(run, wait) != kNoEvent || last_other_side(run, wait) != kNoEvent) return nullptr;
  switch (w.kind) {
    case Kind::channel_send: return "no other thread has received from it";
    case Kind::channel_receive: return "no other thread has sent on it";
    case Kind::cond_wake: return "no other thread has notified it";
    case Kind::semaphore_wait: return "no other thread has posted it";
    default: return nullptr;
  }
}

void put_other_side(Text& out, const RunSummary& run, uint32_t wait, uint32_t other) {
  const Event& e = run.events[other];
  const Event& w = run.events[wait];
  const char* name = object_name(run, e.object);
  switch (e.kind) {
    case Kind::channel_send: return out.add(" sent on %s", name);
    case Kind::channel_receive: return out.add(" received from %s", name);
    case Kind::channel_close: return out.add(" closed %s", name);
    case Kind::select: return out.add(" had a case for %s", object_name(run, w.kind == Kind::select ? e.object : w.object));
    case Kind::cond_signal:
    case Kind::cond_broadcast:
    case Kind::futex_wake: return out.add(" notified %s", name);
    case Kind::semaphore_post: return out.add(" posted %s", name);
    case Kind::wait_group_add: return out.add(" called done() of %s", name);
    case Kind::barrier_arrive: return out.add(" arrived at %s", name);
    case Kind::descriptor_read: return out.add(" read from %s", name);
    case Kind::descriptor_write: return out.add(" wrote to %s", name);
    case Kind::signal_send: return out.add(" sent %s", name);
    default: return out.add(" used %s", name);
  }
}

}  // namespace heddle::rt
