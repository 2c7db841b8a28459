#include "analyses/live_findings.h"

#include "analyses/asan_block.h"
#include "analyses/end_findings.h"
#include "analyses/free_finding.h"
#include "analyses/known_findings.h"
#include "analyses/last_races.h"
#include "analyses/own_failures.h"
#include "analyses/race_finding.h"
#include "analyses/race_list.h"
#include "analyses/stack_finding.h"
#include "analyses/report/changed_meanwhile.h"
#include "analyses/report/closed_descriptor.h"
#include "analyses/report/file_changed.h"
#include "analyses/report/last_message.h"
#include "analyses/report/last_word.h"
#include "analyses/report/positions.h"
#include "analyses/report/slice.h"
#include "analyses/suppressions.h"
#include "analyses/throw_under_lock.h"
#include "base/asan.h"
#include "trace/live_state.h"
#include "trace/run_notes.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

// One line per misuse: "<thread> <does> <object>", and what the other stack shows.
struct Misuse {
  FindingType type;
  const char* does;
  const char* other;  // "<other thread> <other>"
};
constexpr Misuse kMisuses[] = {
    {FindingType::unlock_not_owner, "unlocks a lock that it does not hold:", "acquired the lock here"},
    {FindingType::unlock_not_locked, "unlocks a lock that no thread holds:", "unlocked it last, here"},
    {FindingType::double_lock, "locks a lock that it already holds, and would wait for itself:", "acquired the lock here"},
    {FindingType::destroy_held, "destroys a lock that is in use:", "acquired the lock here"},
    {FindingType::destroy_waited, "destroys an object that has waiters:", "waits here"},
    {FindingType::use_after_destroy, "uses a destroyed object:", "destroyed it here"},
    {FindingType::use_before_init, "initialises an object that is in use:", "acquired the lock here"},
    {FindingType::join_self, "joins itself, and would wait for its own end:", nullptr},
    {FindingType::double_join, "joins a thread that was already joined:", nullptr},
    {FindingType::send_on_closed_channel, "sends on a closed channel:", "closed it here"},
    {FindingType::close_of_closed_channel, "closes a channel that is already closed:", "closed it here"},
    {FindingType::close_of_nil_channel, "closes a nil channel", nullptr},
    {FindingType::negative_wait_group, "calls done() more often than add():", nullptr},
    {FindingType::wait_group_misuse, "calls add(), in no order with another thread's wait():", "called wait() here"},
    {FindingType::broken_pipe, "writes although all readers have closed (SIGPIPE would end the process):", "closed the last one here"},
};

// The same seen from the other side.
constexpr Misuse kWaitBesideAdd = {FindingType::wait_group_misuse, "calls wait(), in no order with another thread's add():", "called add() here"};

constexpr Misuse kUsedTooEarly = {FindingType::use_before_init, "uses an object that is not initialised:", nullptr};

const Misuse* misuse_of(const Finding& f, const RunSummary& run) {
  if (f.type == FindingType::wait_group_misuse && f.other_event < run.event_count && run.events[f.other_event].kind == Kind::wait_group_add)
    return &kWaitBesideAdd;
  if (f.type == FindingType::use_before_init && f.other_thread == kNoEvent) return &kUsedTooEarly;
  for (const Misuse& m : kMisuses) {
    if (m.type == f.type) return &m;
  }
  return nullptr;
}

// For an object that no thread holds: the thread that has arrived at its operation on it. kNoEvent: none.
uint32_t about_to_use(const Finding& f, const RunSummary& run) {
  if (f.other_thread != kNoEvent) return kNoEvent;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    Event e;
    uint32_t context;
    if (t != f.thread && live_state().pending(t, e, context) && e.object == f.object) return t;
  }
  return kNoEvent;
}

// What the other stack is about. Who has unlocked a lock before is no part of the bug's signature, nor who has closed a pipe.
uint32_t other_event(const Finding& f, const RunSummary& run) {
  if (f.type == FindingType::broken_pipe) return close_before(run, f.object, run.event_count);
  if (f.type != FindingType::unlock_not_locked) return f.other_event;
  for (uint32_t i = run.event_count; i-- > 0;) {
    if (run.events[i].object == f.object && run.events[i].finished() && kind_info(run.events[i].kind).has(kDropsLock)) return i;
  }
  return kNoEvent;
}

// Of an object whose destruction is no operation. False: it is not known.
bool add_destruction(const Finding& f, const RunSummary& run, Story& story) {
  for (uint32_t i = run_notes().size(); i-- > 0;) {
    const RunNote& note = run_notes()[i];
    if (note.what != RunNote::destroyed || note.object != f.object) continue;
    story.add_stack(note.site, note.context, false, "%s", thread_title(run, note.thread, " destroyed it here"));
    add_last_word(story, run, note.thread, f.thread, note.events);
    return true;
  }
  return false;
}

void add_other_stack(const Finding& f, const Misuse& misuse, const RunSummary& run, Story& story) {
  static constinit Text title;
  title.clear();
  // If no thread holds the lock, its latest holder explains nothing.
  const uint32_t about_to = f.type == FindingType::destroy_held ? about_to_use(f, run) : kNoEvent;
  if (const uint32_t other = other_event(f, run); about_to == kNoEvent && other < run.event_count) {
    put_thread(title, run, run.events[other].thread);
    title.add(" %s", misuse.other);
    title.repeat('\0', 1);
    add_event_stack(story, run, other, other == f.other_event, title.view().data());
    if (f.type == FindingType::broken_pipe) add_close(story, run, other);
    if (f.type == FindingType::double_lock) add_throw_under_lock(story, run, other);
    if (f.type == FindingType::destroy_held) add_last_word(story, run, f.thread, run.events[other].thread, run.event_count);
    if (f.type == FindingType::use_after_destroy) add_last_word(story, run, run.events[other].thread, f.thread, other);
    return;
  }
  if (f.type == FindingType::use_after_destroy && add_destruction(f, run, story)) return;
  Event e;
  uint32_t context;
  const uint32_t next = about_to != kNoEvent ? about_to : f.other_thread;
  if (next >= run.thread_count || !live_state().pending(next, e, context) || e.object != f.object) return;
  put_thread(title, run, next);
  title.put(about_to != kNoEvent ? " is about to lock it here" : " waits here");
  title.repeat('\0', 1);
  story.add_stack(e.pc_index, context, true, "%s", title.view().data());
  add_last_word(story, run, f.thread, next, run.event_count);
}

// The thread's last lock that it has not unlocked, and whose memory has become that of another object since; kNoEvent: none.
uint32_t lock_lost_under(const RunSummary& run, uint32_t thread) {
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread != thread || !e.finished() || in_vain(e.outcome) || e.object == 0 || !kind_info(e.kind).has(kHoldsLock)) continue;
    for (uint32_t k = i + 1; k < run.event_count; ++k) {
      const Event& later = run.events[k];
      if (later.thread == thread && later.object == e.object && kind_info(later.kind).has(kDropsLock)) return kNoEvent;
    }
    return live_state().object_replaced(e.object) ? i : kNoEvent;
  }
  return kNoEvent;
}

// The call on a file or a descriptor that has just failed; the values that the failing thread has read, or else the message that it got. If these do
// not tell it all, also what changed while a thread went by it, or a file that was changed after a look at it. If there is nothing of all this, the last data
// races, or who has written what is read there.
bool add_reason(Story& story, const RunSummary& run, const FailingMoment& at) {
  add_failed_call(story, run, at);
  add_failed_attempt(story, run, at);
  const Explained values = add_slice(story, run, at);
  if (values == Explained::wholly || (values == Explained::not_at_all && add_last_message(story, run, at))) return true;
  if (add_changed_meanwhile(story, run, at)) return true;
  const bool told = story.event_count != 0 || story.aside_count != 0;
  if ((!told || values == Explained::partly) && add_file_changed(story, run, at)) return true;
  return values == Explained::partly || (!told && (add_last_races(story, run, at) || add_history(story, run, at)));
}

// A library has thrown it for the program's call that fails (std::promise::set_value, std::vector::at). Whether there are source lines must make no
// difference: the stack of a throw elsewhere is part of the signature.
bool is_thrown_here(const Thrown& thrown, const RunSummary& run, const Story& story) {
  return thrown.thread == story.thread && thrown.context == story.stacks[0].context && thrown.events == run.event_count && !has_users_name(thrown.site);
}

// The program ended elsewhere than where it threw: a future's get() has thrown again, or the exception came to a noexcept function.
bool add_throw(const Thrown& thrown, const RunSummary& run, Story& story) {
  const Stack& end = story.stacks[0];
  if (thrown.thread >= run.thread_count || is_thrown_here(thrown, run, story)) return false;
  if (thrown.thread == story.thread && on_one_line(user_frame(user_site(thrown.site, thrown.context)), user_frame(user_site(end.position, end.context)))) return false;
  story.add_stack(thrown.site, thrown.context, true, "%s", thread_title(run, thrown.thread, thrown.made ? " made the exception here" : " threw the exception here"));
  story.add_aside({thrown.thread, thrown.events, kNoEvent, thrown.site, thrown.context, {}}, thrown.made ? "make the exception" : "throw the exception");
  return add_reason(story, run, {thrown.thread, thrown.site, thrown.context, thrown.events, thrown.accesses});
}

}  // namespace

void tell_raised(const Finding& f, const RunSummary& run, Story& story) {
  if (f.type == FindingType::stack_use_after_return || f.type == FindingType::thread_local_use_after_end) return tell_stack_use(f, run, story);
  story.begin(f.type, f.object);
  story.thread = f.thread;
  static constinit Text title;
  title.clear();
  put_thread(title, run, f.thread);
  Text& what = story.what;
  put_thread(what, run, f.thread);
  const Misuse* misuse = misuse_of(f, run);
  if (misuse != nullptr) {
    what.add(" %s", misuse->does);
    if (f.object != 0) {
      what.put(" ");
      what.put(object_noun(run, f.object));
      what.add(" %s", object_name(run, f.object));
    }
    if (f.other_thread != kNoEvent && f.other_thread != f.thread && f.type != FindingType::double_join) {
      what.put(f.type == FindingType::destroy_waited ? ", on which " : ", which ");
      put_thread(what, run, f.other_thread);
      what.put(f.type == FindingType::destroy_waited ? " waits" : " holds");
    } else if (const uint32_t next = f.type == FindingType::destroy_held ? about_to_use(f, run) : kNoEvent; next != kNoEvent) {
      what.put(", which ");
      put_thread(what, run, next);
      what.put(" is about to lock");
    }
    what.put(".\n");
    if (f.detail != nullptr) what.add("(%s)\n", f.detail);
    if (const uint32_t lock = f.type == FindingType::unlock_not_locked ? lock_lost_under(run, f.thread) : kNoEvent; lock != kNoEvent) {
      what.add("It had locked %s at ", object_name(run, run.events[lock].object));
      put_event_place(what, run, lock);
      what.put(". The memory was initialised again, overwritten or freed since.\n");
      story.add_event(lock);
    }
    title.put(" does this here");
  } else {
    const bool failed = own_failure(f.type), allocates = f.type == FindingType::out_of_memory,
               exits = f.type == FindingType::unexpected_exit;
    what.add("%s%s\n", allocates ? " allocates " : exits ? " " : failed ? " fails: " : ": ", f.detail != nullptr ? f.detail : "no details are known");
    title.put(allocates ? " allocates here" : failed && !exits ? " fails here" : " calls it here");
    if (f.type == FindingType::exit_code && f.detail != nullptr) {
      for (const char* c = f.detail; *c != 0; ++c) story.variant = mix(story.variant, static_cast<uint64_t>(*c));  // one for each code
    }
    story.header = f.type != FindingType::sanitizer && !allocates;  // the report of the sanitizer or the engine names its own type
    if (f.site < sites().size()) story.address = sites()[user_site(f.site, f.context)].pc - 1;
  }
  what.put("\n");
  title.repeat('\0', 1);
  story.add_stack(f.signing != kNoEvent ? f.signing : f.site, f.context, true, "%s", title.view().data());
  story.stacks[story.stack_count - 1].position = f.site;
  const bool told = f.thrown != nullptr && add_throw(*f.thrown, run, story);
  if (!told && (f.type == FindingType::assertion || f.type == FindingType::crash)) add_reason(story, run, place_of_failure(story, run));
  // It took the lock for its own because of something that it had read.
  if (f.type == FindingType::unlock_not_owner || f.type == FindingType::unlock_not_locked) add_slice(story, run, place_of_failure(story, run));
  if (misuse != nullptr && misuse->other != nullptr) add_other_stack(f, *misuse, run, story);
}

void report_raised(const Finding& f) {
  live_state().make_again();
  if (is_reported(f.type)) report_failure(f, nullptr, nullptr);
}

void report_failure(const Finding& f, const Freed* by, const char* did) {
  OutsideExecution outside;
  forget_names();
  const RunSummary& run = recorder().publish();
  tell_raised(f, run, scratch_story());
  if (by != nullptr) {
    add_stack_of(scratch_story(), run, *by, false, did);
    if (by->events != Freed::kManyEvents) scratch_story().add_aside({by->thread, by->events, kNoEvent, by->site, by->context, {}}, "unmap this memory");
  }
  if (f.type == FindingType::sanitizer && !tell_asan_block(run, scratch_story())) add_reason(scratch_story(), run, place_of_failure(scratch_story(), run));
  report(scratch_story(), false);
}

void install_live_findings() {
  load_suppressions();
  load_known_findings();
  set_finding_sink(report_raised);
  install_own_failures();
  g_bad_free_sink = report_bad_free;
  if (is_reported(FindingType::data_race)) set_race_sink(report_race);
  else set_race_sink(list_race, false);
}

}  // namespace heddle::rt
