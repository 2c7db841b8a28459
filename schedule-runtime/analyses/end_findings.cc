#include "analyses/end_findings.h"
#include "analyses/report/operation_text.h"
#include "trace/live_state.h"

namespace heddle::rt {
namespace {
constinit Story g_story;

bool reads(Kind kind) { return kind == Kind::rwlock_rdlock || kind == Kind::rwlock_tryrdlock || kind == Kind::annotated_rdlock; }

// A reader waits for a reader, because a writer has come in between.
bool behind_a_writer(const RunSummary& run, const Event& wait, uint32_t holder) {
  if (!reads(wait.kind)) return false;
  const uint32_t taken = acquisition(run, wait.object, holder);
  return taken != kNoEvent && reads(run.events[taken].kind);
}

// ", which main.2 holds", if it waits for one thread.
void put_holder(Text& out, const RunSummary& run, uint32_t event) {
  const Event& e = run.events[event];
  const uint32_t awaited = awaited_thread(run, event);
  if (awaited == kNoEvent || kind_info(e.kind).has(kThread)) return;
  out.put(", which ");
  const bool once = e.kind == Kind::once_begin;
  if (awaited == e.thread) {
    out.put(once ? "it runs itself" : "it holds itself");
  } else {
    put_thread(out, run, awaited);
    const bool ended = static_cast<ThreadEnd>(run.threads[awaited].state) == ThreadEnd::finished;
    out.put(once ? " runs" : is_elsewhere(run, awaited) ? " held at the fork" : ended ? " held when it ended" : " holds");
  }
  if (behind_a_writer(run, e, awaited)) out.put(" for reading (a writer has arrived in between and goes first)");
}

}  // namespace

Story& scratch_story() { return g_story; }

void put_wait(Text& out, const RunSummary& run, uint32_t event) {
  const Event& e = run.events[event];
  put_thread(out, run, e.thread);
  if (e.object == 0 && on_channel(e.kind)) {
    out.put(e.kind == Kind::select ? " waits in a select that has no cases, or only nil channels" : " waits on a nil channel");
    return;
  }
  out.put(" waits ");
  out.put(waits_for(e.kind));
  out.put(" ");
  out.put(object_name(run, e.object));
  put_holder(out, run, event);
  if (!kind_info(e.kind).has(kThread) && live_state().object_replaced(e.object)) out.put(" (its memory was initialised again, overwritten or freed since)");
}

void add_stack_of(Story& story, const RunSummary& run, uint32_t event, bool signs, const char* what) {
  if (story.add_stack(run.events[event].pc_index, recorder().context_of(event), signs, "%s", what)) {
    story.stacks[story.stack_count - 1].position = recorder().position_of(run.events, event);
  }
}

void add_event_stack(Story& story, const RunSummary& run, uint32_t event, bool signs, const char* what) {
  add_stack_of(story, run, event, signs, what);
  story.add_event(event);
}

void add_wait_stacks(Story& story, const RunSummary& run, uint32_t wait, uint32_t holder) {
  static constinit Text title;
  title.clear();
  put_wait(title, run, wait);
  title.put(", here");
  title.repeat('\0', 1);
  add_event_stack(story, run, wait, true, title.view().data());
  const Event& e = run.events[wait];
  const uint32_t taken = takes_alone(e.kind) ? acquisition(run, e.object, holder) : kNoEvent;
  if (taken == kNoEvent) return;
  title.clear();
  put_thread(title, run, holder);
  title.add(" has %s %s since here", e.kind == Kind::once_begin ? "been running" : "held", object_name(run, e.object));
  title.repeat('\0', 1);
  add_event_stack(story, run, taken, true, title.view().data());
}

}  // namespace heddle::rt
