// Which thread goes next, and the ladder for when nothing moves (docs/design/runtime-laws.md#when-nothing-moves). A step is used only if the steps
// before it offer nothing:
//   1. an enabled thread that is neither held nor idle;
//   2. the sleeping or timed thread that a chain or a delay waits for, even if it is briefly awake between two sleeps of a loop;
//   3. an element whose op is parked in its primitive counts as done; after that, the constraints on held ops are dropped;
//   4. virtual time moves to the earliest deadline (with kPatientTimeouts: only after idle threads that are not known to wait);
//   5. an op that waits only for the outcome that the schedule prefers goes on without that outcome;
//   6. spinners, mostly in turn;
//   7. an op that may wait for something outside the execution checks again;
//   8. no thread can ever move again. In a child process, one that waits for its parent says that this is not supported (wait_for_parent.h).
//
// A thread that always does something new would keep the run on the first step: see windows.h. The others would also hide for ever that some threads
// stand still: see stand_still.h.
#include <algorithm>
#include <span>

#include "base/options.h"
#include "engine/engine.h"
#include "engine/settling.h"
#include "engine/spin_verdict.h"
#include "engine/stand_still.h"
#include "engine/wait_for_parent.h"
#include "races/race_detector.h"
#include "scheduler/chain_statistics.h"
#include "trace/run_notes.h"

namespace heddle::rt {
namespace {

// A run that comes so near to the step bound has reached it (spin_verdict.h), in steps.
constexpr uint32_t kNearBound = 16;
// How often in an execution time may move while an op waits for the outcome that the schedule prefers. A sleeper may cause that outcome.
// But it may also never come, while a periodic timer expires without end.
constexpr uint32_t kMaxLentWaits = 64;
// After main has ended, threads that only spin or sleep run for so many more choices. If no thread sleeps, and the schedule does not assume
// kEndlessIntended, they run up to the step bound: they may be endless. A thread that sleeps in rounds is taken for a service that polls, and
// one that rests in a library for a pool that waits for work.
constexpr uint32_t kSettleChoices = 64;

// After so many choices without news, or rounds of a sleeper while no thread reaches a new place, sleeps last twice as long; after the same
// number again, four times, and so on. The limits: how often the length doubles, and the longest sleep that counts, in ns.
constexpr uint32_t kStaleToOversleep = 4096, kRoundsToOversleep = 1024, kMostDoublings = 20;
constexpr uint64_t kLongestOversleep = 100'000'000;
// So long all threads must have gone round in loops, in ns, before those that sleep in theirs are taken for services that never do anything else. A loop
// may well wait for a time that is hours away, or days.
constexpr uint64_t kLongService = 1'000 * 3'600'000'000'000;

// How often a spinner goes out of its turn, in 2^-16.
constexpr uint64_t kSpinnersSubject = 0x5912;
constexpr uint32_t kOutOfTurn = 1 << 13;

// In steps. If the schedule has held an op back, or let it wait for a preference, for so long while other threads were busy, the op goes.
// An op on whose object other threads loop goes earlier: after this factor times the length of a loop window.
constexpr uint32_t kMaxHeld = 1 << 14, kLoopsHeld = 4;

// A thread that has created so many threads no longer goes first, but takes turns with them. Otherwise a loop that creates threads without
// end would run alone.
constexpr uint32_t kMostGathered = 64;

}  // namespace

struct Ladder {
  Engine& e;

  Verdict verdict(Pending& p) {
    if (!p.constrained) return Verdict::neutral;
    return e.enforcement_.verdict(p, e.live_.data(), static_cast<uint32_t>(e.live_.size()));
  }

  // The candidates of the best band. Mostly without branches: the schedule varies which threads are in the band, so the processor would
  // mispredict half of the branches.
  std::span<Pending* const> free_candidates() {
    Pending* const* const ready = e.ready_.data();
    const size_t count = e.ready_.size();
    const bool enforces = e.enforcement_.active();
    Pending** const out = e.candidates_.data();
    size_t n = 0;
    int best = static_cast<int>(Verdict::neutral);
    for (size_t i = 0; i < count; ++i) {
      Pending* const p = ready[i];
      int v = static_cast<int>(Verdict::neutral);
      if (enforces & p->constrained & !p->idle) v = static_cast<int>(verdict(*p));
      const bool fits = !p->idle & (v >= best);
      n = (fits & (v > best)) ? 0 : n;
      best = fits ? v : best;
      out[n] = p;
      n += fits;
    }
    if (n == count) return {ready, n};
    return {out, n};
  }

  // The held op of the oldest thread.
  Pending* held() {
    Pending* first = nullptr;
    for (Pending* p : e.ready_) {
      if (p->idle || verdict(*p) != Verdict::held) continue;
      if (first == nullptr || p->thread_index < first->thread_index) first = p;
    }
    return first;
  }

  // The thread is in a loop that ends at a certain time. That is as good as asleep.
  bool sleeps_in_rounds(Pending& p) { return p.enabled && p.idle && p.owner->stale_sleeps != 0 && verdict(p) != Verdict::held; }

  // A deadline that is no part of its operation, and that no machine is slow enough for while other threads can go on.
  static bool wakes_for_itself(const Pending& p) { return p.deadline == p.owner->wakes_for_itself && p.deadline != p.owner->own_deadline; }

  // First choice: a sleeper whose own op is the awaited element. Otherwise, if any op is held, the sleeper that wakes first among those
  // that may reach the element.
  Pending* awaited_sleeper() {
    Pending* first = nullptr;
    uint64_t wakes = kNever;
    for (Pending* p : e.live_) {
      const bool up = sleeps_in_rounds(*p);
      if (!up && (p->enabled || p->deadline == kNever || wakes_for_itself(*p))) continue;
      if (!up && p->constrained && e.enforcement_.awaited(*p)) return p;
      const uint64_t then = up ? e.now_ : p->deadline;
      if ((first != nullptr && then >= wakes) || !e.enforcement_.lends_time(*p)) continue;
      first = p;
      wakes = then;
    }
    if (first == nullptr || held() == nullptr) return nullptr;
    e.enforcement_.note_lent_time();
    return first;
  }

  bool parked_element() {
    for (Pending* p : e.live_) {
      if (!p->enabled && p->constrained && e.enforcement_.parked(*p)) return true;
    }
    return false;
  }

  // Releases it from what holds it. `busy`: not because nothing else can run.
  bool release(Pending& p, bool busy) {
    if (options().counts())
      chain_statistics().released(e.enforcement_.chains(), p, {e.live_.data(), e.live_.size()},
                                  busy);
    return e.enforcement_.release(p);
  }

  bool release_held() {
    Pending* first = held();
    return first != nullptr && release(*first, false);
  }

  // How much longer a sleep lasts than was asked for. If nothing happens but sleeps, they get longer and longer: otherwise it could take
  // millions of sleeps until the time that some thread waits for.
  uint64_t oversleep(const Pending& sleeper, uint64_t asked) {
    const uint32_t rounds = rounds_of(sleeper, e.windows_.last_place());
    const uint32_t doublings = std::min(std::max(e.stale_choices_ / kStaleToOversleep, rounds / kRoundsToOversleep), kMostDoublings);
    return std::min(asked, kLongestOversleep) * ((1u << doublings) - 1);
  }

  // Moves time to the earliest deadline, but by at most `most` ns, and enables every op whose deadline has come. False: no deadline has
  // come. `others`: so many operations of threads that can go on came before.
  bool advance_to_deadline(uint64_t most = kNever, uint32_t others = 0) {
    const Pending* first = nullptr;
    for (Pending* p : e.live_) {
      if (!p->enabled && p->deadline != kNever && (first == nullptr || p->deadline < first->deadline)) first = p;
    }
    if (first == nullptr) return false;
    const uint64_t earliest = first->deadline;
    if (earliest > e.now_) {
      const uint64_t wait = earliest - e.now_;
      if (wait > most) {
        e.now_ += most;
        return false;
      }
      e.now_ = earliest + oversleep(*first, wait);
      e.time_moved_ = e.steps_;
    }
    for (Pending* p : e.live_) {
      if (p->enabled || p->deadline > e.now_) continue;
      e.set_ready(*p, true);
      time_has_come(*p, e.windows_.last_place());
      if (others != 0 && p->kind != Kind::sleep) time_notes().force(p->thread_index, others);
    }
    return true;
  }

  // Only spinners are left. What comes to one of them at a certain time may be what they wait for. False: nothing comes.
  bool advance_to_ring() {
    Pending* first = nullptr;
    for (Pending* p : e.ready_) {
      const uint64_t at = p->owner->rings_at;
      if (at != kNever && at > e.now_ && (first == nullptr || at < first->owner->rings_at)) first = p;
    }
    if (first == nullptr) return false;
    e.now_ = first->owner->rings_at;
    e.time_moved_ = e.steps_;
    time_has_come(*first, e.windows_.last_place());
    return true;
  }

  // Among the ops that wait only for what the schedule prefers, that of the oldest thread.
  Pending* preferring() {
    Pending* first = nullptr;
    for (Pending* p : e.live_) {
      if (!p->enabled && p->prefers && (first == nullptr || p->thread_index < first->thread_index)) first = p;
    }
    return first;
  }

  Pending* asks_at_end() {
    for (Pending* p : e.live_) {
      if (!p->enabled && p->asks_at_end) return p;
    }
    return nullptr;
  }

  // The next idle thread after the last one, so that each gets its turn. Now and then it is a random thread: otherwise threads that yield
  // to each other in lockstep would never stop, and the ladder would be the cause, not the program. Includes held threads, because nothing
  // else is left.
  Pending* next_spinner() {
    const DecisionPoint point = e.decision_point();
    if (point.chance(kSpinnersSubject, kOutOfTurn)) {
      return e.ready_[pick_evenly(e.ready_.data(), static_cast<uint32_t>(e.ready_.size()), {point, e.last_thread_})];
    }
    Pending* next = nullptr;
    Pending* first = nullptr;
    for (Pending* p : e.ready_) {
      if (first == nullptr || p->thread_index < first->thread_index) first = p;
      if (p->thread_index > e.last_thread_ && (next == nullptr || p->thread_index < next->thread_index)) next = p;
    }
    return next != nullptr ? next : first;
  }

  // Other threads use the op's object all the time, and no thread reaches a new place.
  bool loops_wait_for(const Pending& p) {
    const uint32_t loops = e.windows_.loops();
    return p.object != nullptr && e.steps_ - p.req >= kLoopsHeld * loops && e.steps_ - p.object->last_step < loops;
  }

  // See Engine::kBusyWhileAsleep.
  void pass_time_patiently() {
    const uint32_t busy = e.steps_ - e.time_moved_;
    const bool asleep = std::any_of(e.live_.begin(), e.live_.end(), [](const Pending* p) { return !p->enabled && p->kind == Kind::sleep; });
    if (busy < (asleep ? Engine::kBusyWhileAsleep : Engine::kBusyWhileWaiting >> 2 * e.forced_limits_)) return;
    if (advance_to_deadline(kNever, busy / 2) && !asleep && e.forced_limits_ < Engine::kMostForcedLimits) ++e.forced_limits_;
  }

  // An idle thread that can still do something useful.
  Pending* gave_way() {
    Pending** const out = e.candidates_.data();
    uint32_t n = 0;
    for (Pending* p : e.ready_) {
      if (Engine::goes_on(*p)) out[n++] = p;
    }
    return n != 0 ? e.pick(out, n) : nullptr;
  }

  // At the end of a window. False: the run ends here, because some threads stand still (stand_still.h). end_reason_ says how that is judged.
  bool may_go_on() {
    const std::span<Pending* const> live{e.live_.data(), e.live_.size()};
    const uint32_t since = e.windows_.last_place();
    if (e.main_finished_ && services_are_left(live, since)) {
      e.end_reason_ = EndReason::finished;
      return false;
    }
    if (!e.windows_.whole(e.steps_)) return true;
    const bool cycle = wait_in_cycle(live);
    const bool long_ago = e.now_ - e.windows_.time_of_place() >= kLongService;
    if (!cycle && !(long_ago && only_services_go_on(live, since))) return true;
    if (!cycle && main_polls_in_vain(live)) e.end_reason_ = e.unsure_ ? EndReason::unwatched : EndReason::livelock;
    else e.end_reason_ = cycle || !main_may_go_on(live) ? EndReason::stuck : EndReason::step_bound;
    return false;
  }

  void end_window() {
    // Not if threads loop: a loop window is short, and the time limit of a wait is long.
    if (e.assumes(kPatientTimeouts)) pass_time_patiently();
    else if (e.windows_.whole(e.steps_)) advance_to_deadline(e.windows_.time());
    for (Pending* p : e.live_) {
      const bool very_long = e.steps_ - p->req >= kMaxHeld;
      // Whether the op can go does not matter here: a busy thread may hold its lock at this moment.
      if (e.enforcement_.active() && (very_long || loops_wait_for(*p)) &&
          verdict(*p) == Verdict::held)
        release(*p, true);
      if (very_long && !p->enabled && (p->prefers || p->asks_at_end)) e.set_ready(*p, true);
    }
    e.windows_.next(e.steps_);
  }

  bool all_rest_in_libraries() {
    return std::all_of(e.ready_.begin(), e.ready_.end(), [](const Pending* p) { return Engine::rests_in_library(*p); });
  }

  enum class Idling { sleeping, spinning };
  // False: the run ends here, end_reason_ says why.
  bool patience(Idling idling) {
    ++e.stale_choices_;
    const bool may_be_endless = idling == Idling::spinning && !e.assumes(kEndlessIntended);
    if (e.main_finished_ && e.stale_choices_ > kSettleChoices && (!may_be_endless || all_rest_in_libraries())) {
      e.end_reason_ = e.unsure_ ? EndReason::unwatched : EndReason::finished;
      return false;
    }
    if (is_livelock(e.stale_choices_, e.vain_looks_, e.steps_ + kNearBound > Engine::kLastStep)) {
      e.end_reason_ = e.unsure_ ? EndReason::unwatched : EndReason::livelock;
      return false;
    }
    return true;
  }

  // The run ends here, and end_reason_ says why. The thread that goes on to say that it cannot; null: none.
  Pending* end() {
    const bool spinning = e.end_reason_ == EndReason::livelock;
    if (!spinning && e.end_reason_ != EndReason::stuck) return nullptr;
    Pending* const p = wait_for_parent({e.live_.data(), e.live_.size()}, spinning);
    if (p != nullptr) e.set_ready(*p, true);
    return p;
  }
};

namespace {

// From so many operations in a row on that teach it nothing, a thread may be one that keeps spinning. With eight, few reach them in a random walk.
constexpr uint32_t kBeginsToSpin = 3;

// An op that waits for a preferred outcome goes as soon as that outcome is possible. After the next step it may be impossible again.
Pending* preferred_now(Pending* const* candidates, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (candidates[i]->prefers) return candidates[i];
  }
  return nullptr;
}

}  // namespace

// The limit after main's end is for threads that do something. Those that only spin go on, in small portions: they may still stop spinning.
void Engine::at_last_step() {
  if (stopped_by_debugger()) return;
  if (!main_finished_ || stale_choices_ <= kSettleChoices || limit_ >= kLastStep) end_run(EndReason::step_bound);
  set_last_step(std::min(limit_ + 2 * kSettleOperations, kLastStep));
}

Pending* Engine::pick(Pending* const* candidates, uint32_t count) {
  if (count == 1) return candidates[0];
  const Thread& last = threads_[last_thread_];
  if (__builtin_expect(last.stale_ops >= kBeginsToSpin || last.goes_first != 0, 0)) {
    if (Pending* p = keeps_its_turn(candidates, count)) return p;
  }
  if (__builtin_expect(has_preferences(), 0)) {
    if (Pending* p = preferred_now(candidates, count)) return p;
  }
  const bool even = windows_.even(steps_);
  if (creators_first_ && !even && live_.size() <= kMostGathered) {
    if (Pending* p = first_creator(candidates, count)) return p;
  }
  const auto picks = even ? pick_evenly : strategy_->pick;
  ChoiceContext context = {decision_point(), last_thread_};
  if (count > kManyCandidates && count == ready_.size()) context.slots = {ready_slots_.data(), ready_slots_.size()};
  return candidates[picks(candidates, count, context)];
}

Pending* Engine::choose_next() {
  enforcement_.begin_choice();
  if (__builtin_expect(windows_.over(steps_), 0)) {
    if (race_detector_crowded()) {
      end_reason_ = EndReason::step_bound;
      return nullptr;
    }
    Ladder ladder{*this};
    if (!ladder.may_go_on()) return ladder.end();
    ladder.end_window();
  }
  const auto ready = static_cast<uint32_t>(ready_.size());
  // The usual case: every enabled thread may go.
  if (__builtin_expect(!enforcement_.active() && idle_count_ == 0 && ready != 0, 1)) return pick(ready_.data(), ready);
  return climb();
}

Pending* Engine::climb() {
  Ladder ladder{*this};
  const bool patient = assumes(kPatientTimeouts);
  for (;;) {
    if (const auto free = ladder.free_candidates(); !free.empty()) return pick(free.data(), static_cast<uint32_t>(free.size()));
    if (enforcement_.active()) {
      if (Pending* p = patient ? nullptr : ladder.awaited_sleeper()) return p;
      if (ladder.parked_element() || ladder.release_held()) continue;
    }
    if (live_.size() == 0) {
      end_reason_ = EndReason::finished;
      return nullptr;
    }
    if (patient) {
      if (Pending* p = ladder.gave_way()) return p;
    }
    Pending* const preferring = ladder.preferring();
    // Time moves before spinners do: a spinner may be waiting for a sleeper.
    // An op that waits for a preference can run: with kPatientTimeouts, time does not move for it.
    const bool time_may_move = preferring == nullptr || (!patient && ++waits_lent_ <= kMaxLentWaits);
    if (time_may_move && ladder.advance_to_deadline()) {
      if (!ladder.patience(Ladder::Idling::sleeping)) return ladder.end();
      continue;
    }
    if (preferring != nullptr) {
      set_ready(*preferring, true);
      continue;
    }
    if (ready_.size() != 0) {
      const auto idling = ladder.advance_to_ring() ? Ladder::Idling::sleeping : Ladder::Idling::spinning;
      if (!ladder.patience(idling)) return ladder.end();
      return ladder.next_spinner();
    }
    if (Pending* p = ladder.asks_at_end()) {
      p->asked_at_end = true;
      set_ready(*p, true);
      continue;
    }
    end_reason_ = EndReason::stuck;
    return ladder.end();
  }
}

}  // namespace heddle::rt
