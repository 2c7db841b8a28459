#include "mutator/knowledge/choice_points.h"

#include <algorithm>
#include <iterator>

#include "schema/clock_jumps.h"
#include "schema/end_of_wait.h"

namespace heddle::mutator {

namespace {

enum class Sort : uint8_t { none, select, waiter, early, wake, outcome, poll, jump };

bool went_or_timed_out(const Event& e) { return e.outcome == Outcome::success || e.outcome == Outcome::timeout; }

Sort sort_of(const Event& e) {
  if (e.site == kNoSite || (e.flags & kEventRecursive) != 0) return Sort::none;
  switch (e.kind) {
    case Kind::select: return Sort::select;
    case Kind::cond_signal: return e.finished() ? Sort::waiter : Sort::none;
    case Kind::cond_wake: return Sort::wake;
    case Kind::mutex_timedlock:
    case Kind::sleep: return Sort::early;
    // The operation that the handler came before can go first.
    case Kind::signal_handle: return e.outcome == Outcome::success ? Sort::early : Sort::none;
    // A futex wait is two events. The first one compares the value and has no outcome.
    case Kind::futex_wait: return !e.finished() || e.outcome != Outcome::none ? Sort::early : Sort::none;
    // Timed and untimed waits have the same kind. Only timed ones have an outcome.
    case Kind::rwlock_rdlock:
    case Kind::rwlock_wrlock:
    case Kind::semaphore_wait: return went_or_timed_out(e) ? Sort::early : Sort::none;
    case Kind::mutex_trylock:
    case Kind::rwlock_tryrdlock:
    case Kind::rwlock_trywrlock:
    case Kind::semaphore_trywait:
    case Kind::atomic_cas: return e.finished() ? Sort::outcome : Sort::none;
    // Only operations that need not wait have an outcome.
    case Kind::descriptor_read:
    case Kind::descriptor_write:
      return e.outcome == Outcome::success || e.outcome == Outcome::failure ? Sort::outcome : Sort::none;
    case Kind::descriptor_wait: return Sort::poll;
    case Kind::clock_jump: return Sort::jump;
    default: return Sort::none;
  }
}

bool may_be_free(Kind k) {
  return k == Kind::select || k == Kind::cond_signal || k == Kind::cond_wake || k == Kind::futex_wait || k == Kind::descriptor_wait ||
         k == Kind::clock_jump;
}

}  // namespace

int32_t ChoicePoints::taken(uint32_t i) const {
  const Event& e = event(i);
  switch (sort_of(e)) {
    case Sort::select: return e.finished() ? static_cast<int32_t>(e.choice) : kUndecided;  // the default is -1
    case Sort::waiter: return static_cast<int32_t>(e.choice);
    case Sort::poll: return e.finished() ? static_cast<int32_t>(e.choice) : kUndecided;
    case Sort::jump:
    case Sort::wake: return static_cast<int32_t>(e.choice);
    case Sort::early: return e.choice != 0 ? 1 : 0;
    case Sort::outcome: return e.outcome == Outcome::failure ? 1 : 0;
    case Sort::none: break;
  }
  return kUndecided;
}

void ChoicePoints::candidates(uint32_t i, std::vector<Candidate>& out) const {
  out.clear();
  const Event& e = event(i);
  switch (sort_of(e)) {
    case Sort::none: return;
    case Sort::select: break;
    case Sort::waiter:
      for (uint32_t w = 0; w < e.value && w < 64; ++w) out.push_back({static_cast<int32_t>(w), kPartnerFactor});
      return;
    case Sort::early: out = {{0, kPartnerFactor}, {1, kPartnerFactor}}; return;  // time always passes
    case Sort::wake:
      out = {{0, kPartnerFactor}, {1, kPartnerFactor}};
      // Then the wait has a time limit. Of others that is not recorded.
      if (e.choice == static_cast<uint32_t>(EndOfWait::spurious) || e.outcome == Outcome::timeout) {
        out.push_back({static_cast<int32_t>(EndOfWait::spurious), kPartnerFactor});
      }
      return;
    case Sort::jump:
      for (size_t jump = 0; jump <= std::size(kClockJumps); ++jump) out.push_back({static_cast<int32_t>(jump), kPartnerFactor});
      return;
    case Sort::outcome:
      out = {{0, 1}, {1, 1}};
      for (Candidate& c : out) {
        if (c.choice == taken(i) || partners_.disturbed(i)) c.weight = kPartnerFactor;
      }
      return;
    case Sort::poll:  // 0: all that are ready; 1: it times out early; else a case
      out.push_back({0, 1});
      if (went_or_timed_out(e)) out.push_back({1, kPartnerFactor});
      for (const SelectCase& c : partners_.ops().cases(i)) out.push_back({c.index, c.ready != 0 ? kPartnerFactor : 1});
      return;
  }
  bool otherwise = e.finished() && e.choice == kDefaultChoice;
  for (const SelectCase& c : partners_.ops().cases(i)) {
    if (c.direction == static_cast<uint8_t>(CaseDirection::otherwise)) {
      otherwise = true;
    } else if (c.object != 0) {  // a nil channel never goes
      out.push_back({c.index, partners_.possible(c) ? kPartnerFactor : 1});
    }
  }
  if (otherwise) out.push_back({-1, kPartnerFactor});
}

bool ChoicePoints::is_choice(uint32_t i) const {
  const Event& e = event(i);
  switch (sort_of(e)) {
    case Sort::none: return false;
    case Sort::waiter: return e.value >= 2;
    case Sort::early:
    case Sort::wake:
    case Sort::jump:
    case Sort::outcome: return true;
    case Sort::poll: return went_or_timed_out(e) || partners_.ops().cases(i).size() >= 2;
    case Sort::select: break;
  }
  uint32_t n = e.finished() && e.choice == kDefaultChoice;
  for (const SelectCase& c : partners_.ops().cases(i)) {
    n += c.object != 0 || (c.direction == static_cast<uint8_t>(CaseDirection::otherwise) && e.choice != kDefaultChoice);
  }
  return n >= 2;
}

bool ChoicePoints::is_free_choice(uint32_t i) const { return may_be_free(event(i).kind) && is_choice(i); }

// Who sleeps wakes before any operation that an order puts behind it.
bool ChoicePoints::may_be_beyond_order(Kind k) {
  const bool timed = k == Kind::mutex_timedlock || k == Kind::rwlock_rdlock || k == Kind::rwlock_wrlock || k == Kind::semaphore_wait;
  return timed || may_be_free(k);
}

SelectPreference ChoicePoints::preference(uint32_t i, int32_t choice) const {
  const Event& e = event(i);
  SelectPreference p{};
  p.thread = partners_.relations().run().threads[e.thread].id;
  p.site = e.site;
  p.instance = e.occurrence;
  p.choice = choice;
  p.kind = e.kind;
  return p;
}

uint32_t possible_others(const std::vector<Candidate>& candidates, int32_t taken) {
  return static_cast<uint32_t>(std::count_if(candidates.begin(), candidates.end(), [taken](const Candidate& c) {
    return c.choice != taken && c.weight == kPartnerFactor;
  }));
}

int32_t draw_other(const std::vector<Candidate>& candidates, int32_t taken, bool weighted, Rng& rng) {
  uint32_t total = 0;
  for (const Candidate& c : candidates) {
    if (c.choice != taken) total += weighted ? c.weight : 1;
  }
  uint32_t ticket = rng.below(total);
  for (const Candidate& c : candidates) {
    if (c.choice == taken) continue;
    const uint32_t weight = weighted ? c.weight : 1;
    if (ticket < weight) return c.choice;
    ticket -= weight;
  }
  return taken;
}

}  // namespace heddle::mutator
