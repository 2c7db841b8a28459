#include "analyses/report/unlooped_waits.h"

#include "analyses/report/causal_past.h"
#include "analyses/report/positions.h"
#include "analyses/report/slice_steps.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kLooked = 64;     // wake-ups
constexpr uint32_t kMostLooks = 64;  // reads before a wait, and after it

bool is_candidate(const Event& e) { return e.kind == Kind::cond_wake && e.outcome == Outcome::spurious && e.finished(); }

// The wait, and the critical section around it.
struct Section {
  uint32_t took, wait, wake;  // events
  uint32_t end;               // the operation that gives the mutex back; the number of events: none
};

Frame line_of(const RunSummary& run, uint32_t event) { return user_frame(user_site(recorder().position_of(run.events, event), recorder().context_of(event))); }

// False: where the section begins is not known.
bool find_section(const RunSummary& run, uint32_t wake, Section& s) {
  const Event& woken = run.events[wake];
  s = {kNoEvent, kNoEvent, wake, run.event_count};
  uint32_t mutex = 0, given_back = 0;
  bool inside = false;  // the mutex of the wait is inside a std::condition_variable_any, which gives the program's back
  for (uint32_t i = wake; i-- > 0 && s.took == kNoEvent;) {
    const Event& e = run.events[i];
    if (e.thread != woken.thread || !e.finished()) continue;
    if (s.wait == kNoEvent) {
      if (e.kind == Kind::cond_wait && e.object == woken.object) s.wait = i, mutex = e.choice;
    } else if (e.object != mutex) {
      if (given_back == 0 && kind_info(e.kind).has(kDropsLock)) given_back = e.object;
    } else if (kind_info(e.kind).has(kHoldsLock) && !in_vain(e.outcome)) {
      if (!inside && given_back != 0 && on_one_line(line_of(run, i), line_of(run, s.wait))) inside = true, mutex = given_back;
      else s.took = i;
    }
  }
  if (s.took == kNoEvent) return false;
  for (uint32_t i = wake + 1; i < s.end; ++i) {
    const Event& e = run.events[i];
    if (e.thread != woken.thread) continue;
    if (e.kind == Kind::cond_wait ? e.choice == mutex : e.object == mutex && kind_info(e.kind).has(kDropsLock)) s.end = i;
  }
  return true;
}

bool waits_again(const RunSummary& run, const Section& s) {
  return s.end < run.event_count && run.events[s.end].kind == Kind::cond_wait && run.events[s.end].object == run.events[s.wake].object &&
         run.events[s.end].site == run.events[s.wait].site;
}

// The log has lost what was read before the wait.
bool is_forgotten(const Section& s) {
  const AccessLog& log = access_log();
  return log.total() != log.size() && log.at(log.total() - log.size()).events > s.took;
}

// A read of the program's, and not one of the C++ library's for the wait.
bool is_look(const RunSummary& run, const MemorySteps& steps, uint32_t step, uint32_t thread) {
  const MemoryStep& s = steps[step];
  if (s.thread != thread || !s.reads || s.inside) return false;
  return s.event == kNoEvent || !counts_references(run.events[s.event].pc_index, recorder().context_of(s.event));
}

// At a line where it had read before the wait. (Which of these lines is the condition is not known: a wrapper may read what it waits with.)
bool reads_again(const RunSummary& run, const MemorySteps& steps, const Section& s) {
  const uint32_t thread = run.events[s.wake].thread;
  uint32_t again = 0;  // where looks after the wake-up begin
  while (again < steps.end() && steps[again].before <= s.wake) ++again;
  for (uint32_t i = again, looks = 0; i-- > 0 && looks < kMostLooks && steps[i].before > s.took;) {
    if (steps[i].before > s.wait || !is_look(run, steps, i, thread)) continue;
    ++looks;
    const Frame line = user_frame(steps.place(i));
    for (uint32_t k = again, later = 0; k < steps.end() && later < kMostLooks && steps[k].before <= s.end; ++k) {
      if (!is_look(run, steps, k, thread)) continue;
      ++later;
      if (comes_from(run, steps[k], line)) return true;
    }
  }
  return false;
}

}  // namespace

UnloopedWakeUps unlooped_wake_ups(const RunSummary& run, const Story& story) {
  UnloopedWakeUps found;
  bool any = false;
  for (uint32_t i = 0; i < run.event_count && !any; ++i) any = is_candidate(run.events[i]);
  if (!any) return found;
  CausalPast past(run);
  past.clear();
  past.add_finding(story);
  past.spread(Links::messages);
  const MemorySteps steps(run, run.event_count, access_log().total(), true);
  for (uint32_t i = run.event_count, looked = 0; i-- > 0 && looked < kLooked && found.count < UnloopedWakeUps::kMost;) {
    if (!is_candidate(run.events[i]) || !past.contains(i)) continue;
    ++looked;
    Section s;
    if (find_section(run, i, s) && !waits_again(run, s) && !is_forgotten(s) && !reads_again(run, steps, s)) found.events[found.count++] = i;
  }
  return found;
}

}  // namespace heddle::rt
