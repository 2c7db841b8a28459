// Threads that are blocked at the end, that no thread can wake, and that are not in a cycle. Threads that could still run are not counted:
// they are only slow.
#include <algorithm>

#include "analyses/analyses.h"
#include "analyses/awaited_value.h"
#include "analyses/end_findings.h"
#include "analyses/last_races.h"
#include "analyses/library_semaphore.h"
#include "analyses/report/operation_text.h"
#include "analyses/report/stale_condition.h"
#include "analyses/taken_message.h"
#include "analyses/throw_under_lock.h"
#include "analyses/wait_graph.h"
#include "analyses/wait_words.h"
#include "analyses/what_it_read.h"

namespace heddle::rt {

namespace {

constinit ReservedArray<uint32_t> g_waits;  // by thread: the operation in which it is stuck; kNoEvent

void put_waits(const RunSummary& run) {
  const Hope hope(run);
  g_waits.reserve(Recorder::kMaxThreads);
  for (uint32_t t = 0; t < run.thread_count; ++t) g_waits[t] = is_blocked(run.threads[t]) && !hope[t] ? waiting_event(run, t) : kNoEvent;
}

// Where the report begins: the position is part of the finding's signature. Of the causes for which main waits, or else of all, the one at
// the same position for any order of threads. (Most programs have threads that wait for work without end, and no thread waits for these.)
uint32_t first_cause(const RunSummary& run, const WaitGraph& graph) {
  const auto main = static_cast<uint32_t>(&main_of(run) - run.threads);
  for (const bool for_main : {true, false}) {
    uint32_t first = kNoEvent;
    for (uint32_t t = 0; t < run.thread_count; ++t) {
      const uint32_t wait = g_waits[t];
      if (wait == kNoEvent || !graph.is_cause(t) || (for_main && !graph.waits_for(main, t))) continue;
      if (first == kNoEvent || run.events[wait].site < run.events[first].site) first = wait;
    }
    if (first != kNoEvent) return first;
  }
  return kNoEvent;
}

// Whom a notification has woken; kNoEvent: nobody, or several threads.
uint32_t woken_by(const RunSummary& run, uint32_t signal) {
  const Kind kind = run.events[signal].kind;
  const Kind wait = kind == Kind::cond_signal ? Kind::cond_wake : kind == Kind::futex_wake ? Kind::futex_wait : Kind::none;
  uint32_t woken = kNoEvent;
  for (uint32_t i = 0; wait != Kind::none && i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.kind != wait || !e.finished() || e.partner != signal) continue;
    if (woken != kNoEvent) return kNoEvent;
    woken = e.thread;
  }
  return woken;
}

// Where a wait for a condition variable began, if that was after the notification, or if there was none; else kNoEvent.
uint32_t began_after(const RunSummary& run, uint32_t wait, uint32_t notification) {
  if (run.events[wait].kind != Kind::cond_wake) return kNoEvent;
  for (uint32_t i = wait; i-- > notification + 1;) {
    const Event& e = run.events[i];
    if (e.thread == run.events[wait].thread && e.kind == Kind::cond_wait && e.object == run.events[wait].object) return i;
  }
  return kNoEvent;
}

void add_other_thread(Story& story, const RunSummary& run, uint32_t wait, uint32_t event, const char* does) {
  const uint32_t thread = run.events[event].thread;
  static constinit Text title;
  title.clear();
  put_thread(title, run, thread);
  if (does != nullptr) title.add(" %s %s", does, object_name(run, run.events[event].object));
  else put_other_side(title, run, wait, event);
  const bool elsewhere = is_elsewhere(run, thread);
  const bool gone = !elsewhere && thread != 0 && static_cast<ThreadEnd>(run.threads[thread].state) == ThreadEnd::finished;
  if (const uint32_t woken = woken_by(run, event); woken != kNoEvent) {
    title.put(" (and woke ");
    put_thread(title, run, woken);
    title.put(")");
  }
  const uint32_t began = began_after(run, wait, event);
  title.put(elsewhere ? " last, in the parent process, here" : gone ? " last, and has ended. It did so here" : began != kNoEvent ? " last, before that wait began, here" : " last, here");
  title.repeat('\0', 1);
  add_event_stack(story, run, event, false, title.view().data());
  if (gone) story.add_event(exit_of(run, thread));
  story.add_event(began);
}

// `first` stands for those that wait like it, and otherwise the oldest thread.
bool told_alike(const RunSummary& run, uint32_t wait, uint32_t first, uint32_t thread) {
  if (wait == first) return false;
  if (first != kNoEvent && alike(run, wait, first)) return true;
  for (uint32_t t = 0; t < thread; ++t) {
    if (g_waits[t] != kNoEvent && alike(run, wait, g_waits[t])) return true;
  }
  return false;
}

// One thread for all that wait alike. Told after the first one of them.
void put_alike(Text& out, const RunSummary& run, uint32_t wait) {
  constexpr uint32_t kNamed = 6;
  uint32_t count = 0;
  const auto each = [&](auto what) {
    for (uint32_t t = 0; t < run.thread_count; ++t) {
      if (g_waits[t] != kNoEvent && g_waits[t] != wait && alike(run, g_waits[t], wait)) what(t);
    }
  };
  each([&](uint32_t) { ++count; });
  if (count == 0) return;
  out.add("    %u more thread%s like this one: ", count, count == 1 ? " waits" : "s wait");
  uint32_t named = 0;
  each([&](uint32_t t) {
    if (named < kNamed) {
      out.put(named != 0 ? ", " : "");
      put_thread(out, run, t);
    }
    ++named;
  });
  out.put(count > kNamed ? ", ...\n" : "\n");
}

// Who could have let it go on, and no longer can.
void add_gone_partner(Story& story, const RunSummary& run, uint32_t wait) {
  if (run.events[wait].kind == Kind::wait_group_wait) return;  // each thread does its own part
  if (const uint32_t taker = last_taker(run, wait); taker != kNoEvent) return add_other_thread(story, run, wait, taker, "took");
  const uint32_t last = last_other_side(run, wait);
  const bool notified = last != kNoEvent && (run.events[wait].kind == Kind::cond_wake || run.events[wait].kind == Kind::futex_wait);
  if (last != kNoEvent && (notified || !is_blocked(run.threads[run.events[last].thread]))) add_other_thread(story, run, wait, last, nullptr);
}

// The last notification came before the wait, or there was none. So the thread may have missed a change.
void add_unseen_change(Story& story, const RunSummary& run, uint32_t wait) {
  const uint32_t last = last_other_side(run, wait), began = began_after(run, wait, last);
  if (began != kNoEvent && !add_stale_condition(story, run, began, last, "    ") && last == kNoEvent) add_seen_too_early(story, run, began, "    ");
  if (began == kNoEvent || last == kNoEvent || is_elsewhere(run, run.events[last].thread)) return;
  const auto notifier = static_cast<ThreadEnd>(run.threads[run.events[last].thread].state);
  if (notifier == ThreadEnd::finished || is_blocked(run.threads[run.events[last].thread])) add_unseen_by_notifier(story, run, run.events[wait].thread, last, "    ");
}

// It waits for a future or the like, or for a semaphore that nobody has posted: it may have looked too early at what says whether somebody will.
bool may_have_decided(const RunSummary& run, uint32_t wait) {
  const Kind kind = run.events[wait].kind;
  return kind == Kind::futex_wait || (kind == Kind::semaphore_wait && last_other_side(run, wait) == kNoEvent);
}

// Several threads can wait for one lock.
bool is_told(const Story& story, uint32_t event) { return std::find(story.events, story.events + story.event_count, event) != story.events + story.event_count; }

// Its wait is a consequence of this thread's.
void put_blocked_partner(Text& out, const RunSummary& run, uint32_t wait) {
  const uint32_t last = awaited_thread(run, wait) == kNoEvent ? last_other_side(run, wait, true) : kNoEvent;
  if (last == kNoEvent) return;
  out.put(" (");
  put_thread(out, run, run.events[last].thread);
  put_other_side(out, run, wait, last);
  out.put(" last, and is blocked, too)");
}

}  // namespace

bool find_blocked_threads(const RunSummary& run, Story& story) {
  // While main still runs (a livelock), no thread was left behind yet.
  if (!any_blocked(run) || is_alive(main_of(run))) return false;
  const bool main_blocked = is_blocked(main_of(run));
  if (!is_reported(FindingType::blocked_threads) && !main_blocked) return false;
  put_waits(run);
  const WaitGraph graph(run, g_waits.data());
  const uint32_t first = first_cause(run, graph);
  uint32_t stuck = 0, alive = 0;
  for (uint32_t t = 0; t < run.thread_count; ++t) alive += is_alive(run.threads[t]);
  // If a thread waits for another stuck thread, that is only a consequence. The causes come first.
  enum class Part { first, causes, consequences };
  for (const Part part : {Part::first, Part::causes, Part::consequences}) {
    for (uint32_t t = 0; t < run.thread_count; ++t) {
      const uint32_t wait = g_waits[t];
      if (wait == kNoEvent) continue;
      if (told_alike(run, wait, first, t)) continue;
      const bool is_cause = graph.is_cause(t);
      if (part != (wait == first ? Part::first : is_cause ? Part::causes : Part::consequences)) continue;
      const uint32_t awaited = awaited_thread(run, wait);
      if (stuck++ == 0) {
        story.begin(FindingType::blocked_threads, run.events[wait].object);
        put_semaphore_note(story.what, run);
      }
      static constinit Text title;
      title.clear();
      put_wait(title, run, wait);
      story.what.put("  ");
      story.what.put(title.view());
      if (!is_cause) put_blocked_partner(story.what, run, wait);
      else if (const char* const none = awaited == kNoEvent ? words_of_none(run, wait) : nullptr) story.what.add(" (%s)", none);
      story.what.put("\n");
      put_wait_details(story.what, run, wait);
      const bool value_told = is_cause && add_awaited_value(story, run, wait);
      add_cancellation(story, run, wait);
      if (is_cause && awaited == kNoEvent) {
        add_unseen_change(story, run, wait);
        add_taken_message(story, run, wait, "    ");
        if (may_have_decided(run, wait) && !value_told) add_outdated_decision(story, run, wait, "    ");
        if (value_told && last_other_side(run, wait) == kNoEvent) add_seen_too_early(story, run, wait, "    ");
      }
      put_alike(story.what, run, wait);
      title.put(", here");
      title.repeat('\0', 1);
      add_event_stack(story, run, wait, is_cause, title.view().data());
      if (is_cause && awaited == kNoEvent) {
        add_gone_partner(story, run, wait);
        const auto nothing_told = [&] { return wait == first && story.event_count + story.aside_count == 1; };
        if (nothing_told()) add_what_it_read(story, run, wait);
        if (nothing_told()) add_last_races(story, run);
        if (wait == first && run.events[wait].kind == Kind::cond_wake) add_condition(story, run, wait);
      }
      const uint32_t taken = awaited != kNoEvent ? acquisition(run, run.events[wait].object, awaited) : kNoEvent;
      if (taken == kNoEvent || is_told(story, taken)) continue;
      title.clear();
      put_thread(title, run, awaited);
      if (is_elsewhere(run, awaited)) {
        title.add(" acquired %s here, and cannot release it in this process: it is a thread of the parent", object_name(run, run.events[wait].object));
      } else {
        title.add(is_cause ? " acquired %s here and never released it" : " has held %s since here", object_name(run, run.events[wait].object));
      }
      title.repeat('\0', 1);
      add_event_stack(story, run, taken, is_cause, title.view().data());
      if (is_cause && !is_elsewhere(run, awaited)) add_throw_under_lock(story, run, taken);
    }
  }
  if (stuck == 0) return false;
  story.what.put(main_blocked ? "The program cannot end: no thread is left that could wake these threads.\n"
                              : "The body has returned, and no thread is left that could wake these threads.\n");
  if (!main_blocked) {
    story.what.put("If this is intended (worker threads that wait for work), use the suppression 'thread:FUNCTION' or HEDDLE_OPTIONS=report_leaks=0.\n");
  }
  if (alive != 0) story.what.add("(Threads that can still run: %u. They are not part of the finding.)\n", alive);
  story.what.put("\n");
  return true;
}

const Observer kBlockedThreads = end_observer("blocked threads", [](RunSummary& run) { look_for(find_blocked_threads, run); });

}  // namespace heddle::rt
