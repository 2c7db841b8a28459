// Which thread goes next, and the ladder for when nothing moves (docs/design/runtime-laws.md#when-nothing-moves). A step is used only if the steps
// before it offer nothing:
//   1. an enabled thread that is neither held nor idle;
//   2. the sleeping or timed thread that a chain or a delay waits for, also while it is awake for a moment between two sleeps of a loop;
//   3. an element whose op is parked in its primitive counts as done; then the constraints on held ops are dropped;
//   4. virtual time moves to the earliest deadline (with kPatientTimeouts: after idle threads that are not known to wait for anything);
//   5. an op that waits only for the outcome that the schedule prefers goes without it;
//   6. spinners, mostly in turn;
//   7. an op that may wait for something outside the execution checks again;
//   8. no thread can ever move again.
//
// A thread that always does something new would keep the run on the first step: see windows.h.
#include <algorithm>
#include <span>

#include "engine/engine.h"

namespace heddle::rt {
namespace {

// Choices among spinners and sleepers alone, with nothing new learnt by anyone, for which a run that comes to the step bound is called a livelock, and no long
// run. Not before the bound: a thread that takes a lock in each round of a long loop, and only reads, learns nothing new either.
constexpr uint32_t kLivelockChoices = 500'000;
constexpr uint32_t kNearBound = 16;  // steps
// The same of threads that do nothing but read a few plain places again and again, and write nothing: in windows of Thread::kPlainWindow accesses, a quarter of a
// billion in all. (A computation that goes on for so long writes, or reads more than that.)
constexpr uint64_t kVainLooks = 1 << 16;
// How often in an execution time may move while an op waits for the outcome that the schedule prefers. That may come from a sleeper, but it may
// also never come, while a clock ticks without end.
constexpr uint32_t kMaxLentWaits = 64;
// After main has ended, how long threads that only spin or sleep are followed.
constexpr uint32_t kSettleChoices = 64;

// After so many choices with nothing new sleeps last twice as long, and again after as many; how often that happens, and which sleep counts at most, in ns.
constexpr uint32_t kStaleToOversleep = 4096, kMostDoublings = 20;
constexpr uint64_t kLongestOversleep = 100'000'000;

// How often a spinner goes out of its turn, of 2^16.
constexpr uint64_t kSpinnersSubject = 0x5912;
constexpr uint32_t kOutOfTurn = 1 << 13;

// In steps: what the schedule has held back or preferred for so long, while others were busy, waits no more. Nor does what loops turn on: that is held for
// so many times as long as they may go on.
constexpr uint32_t kMaxHeld = 1 << 14, kLoopsHeld = 4;

// Threads. A thread that has created so many takes turns with them. Otherwise only a loop that creates threads without end would run.
constexpr uint32_t kMostGathered = 64;

}  // namespace

struct Ladder {
  Engine& e;

  Verdict verdict(Pending& p) {
    if (!p.constrained) return Verdict::neutral;
    return e.enforcement_.verdict(p, e.live_.data(), static_cast<uint32_t>(e.live_.size()));
  }

  // Those of the best band. Without branches as far as that goes: who is among them is what the schedule is there to vary, so a processor's guess is
  // wrong every other time.
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
    return {out, n};
  }

  // Of the held ops, that of the oldest thread.
  Pending* held() {
    Pending* first = nullptr;
    for (Pending* p : e.ready_) {
      if (p->idle || verdict(*p) != Verdict::held) continue;
      if (first == nullptr || p->thread_index < first->thread_index) first = p;
    }
    return first;
  }

  // In a loop that ends when a time has come: as good as asleep.
  bool sleeps_in_rounds(Pending& p) { return p.enabled && p.idle && p.owner->stale_sleeps != 0 && verdict(p) != Verdict::held; }

  // Whose own op is the element goes first; else, if anything is held, the first to wake of those that may come to it.
  Pending* awaited_sleeper() {
    Pending* first = nullptr;
    uint64_t wakes = kNever;
    for (Pending* p : e.live_) {
      const bool up = sleeps_in_rounds(*p);
      if (!up && (p->enabled || p->deadline == kNever)) continue;
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

  bool release_held() {
    Pending* first = held();
    return first != nullptr && e.enforcement_.release(*first);
  }

  // Enables every op whose time has come.
  // A sleep may last longer than was asked for. Where nothing happens but sleeps they get longer and longer: it may take millions of them until the time comes
  // that somebody waits for.
  uint64_t oversleep(uint64_t asked) {
    const uint32_t doublings = std::min(e.stale_choices_ / kStaleToOversleep, kMostDoublings);
    return std::min(asked, kLongestOversleep) * ((1u << doublings) - 1);
  }

  // By `most` at the most, in ns. False: no deadline has come.
  bool advance_to_deadline(uint64_t most = kNever) {
    uint64_t earliest = kNever;
    for (Pending* p : e.live_) {
      if (!p->enabled && p->deadline < earliest) earliest = p->deadline;
    }
    if (earliest == kNever) return false;
    if (earliest > e.now_) {
      const uint64_t wait = earliest - e.now_;
      if (wait > most) {
        e.now_ += most;
        return false;
      }
      e.now_ = earliest + oversleep(wait);
      e.time_moved_ = e.steps_;
    }
    for (Pending* p : e.live_) {
      if (!p->enabled && p->deadline <= e.now_) e.set_ready(*p, true);
    }
    return true;
  }

  // Of the ops that wait only for what the schedule prefers, that of the oldest thread.
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

  // The next idle thread after the last one, so that each gets its turn. Now and then any thread: otherwise threads that give way to each other in
  // step would never stop, because of the ladder and not of the program. Held threads too, because nothing else is left.
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

  // Others come to its object all the time, and nobody comes to a new place.
  bool loops_wait_for(const Pending& p) {
    const uint32_t loops = e.windows_.loops();
    return p.object != nullptr && e.steps_ - p.req >= kLoopsHeld * loops && e.steps_ - p.object->last_step < loops;
  }

  // See Engine::kBusyWhileAsleep.
  void pass_time_patiently() {
    const uint32_t busy = e.steps_ - e.time_moved_;
    if (busy < Engine::kBusyWhileAsleep) return;
    const bool asleep = std::any_of(e.live_.begin(), e.live_.end(), [](const Pending* p) { return !p->enabled && p->kind == Kind::sleep; });
    if (asleep || busy >= Engine::kBusyWhileWaiting) advance_to_deadline();
  }

  // An idle thread that can still do something of use.
  Pending* gave_way() {
    Pending** const out = e.candidates_.data();
    uint32_t n = 0;
    for (Pending* p : e.ready_) {
      if (Engine::goes_on(*p)) out[n++] = p;
    }
    return n != 0 ? e.pick(out, n) : nullptr;
  }

  void end_window() {
    // Not because of loops: they are short, and the limit of a wait is long.
    if (e.assumes(kPatientTimeouts)) pass_time_patiently();
    else if (e.windows_.whole(e.steps_)) advance_to_deadline(e.windows_.time());
    for (Pending* p : e.live_) {
      const bool very_long = e.steps_ - p->req >= kMaxHeld;
      // Whether it could go or not: a busy thread may have its lock just now.
      if (e.enforcement_.active() && (very_long || loops_wait_for(*p)) && verdict(*p) == Verdict::held) e.enforcement_.release(*p);
      if (very_long && !p->enabled && (p->prefers || p->asks_at_end)) e.set_ready(*p, true);
    }
    e.windows_.next(e.steps_);
  }

  // False: the run ends here, end_reason_ says why.
  bool patience() {
    ++e.stale_choices_;
    if (e.main_finished_ && e.stale_choices_ > kSettleChoices) {
      e.end_reason_ = e.unsure_ ? EndReason::unwatched : EndReason::finished;
      return false;
    }
    if ((e.stale_choices_ > kLivelockChoices && e.steps_ + kNearBound > e.last_step_) || e.vain_looks_ > kVainLooks) {
      e.end_reason_ = e.unsure_ ? EndReason::unwatched : EndReason::livelock;
      return false;
    }
    return true;
  }
};

namespace {

// What waits for an outcome that the schedule prefers goes as soon as it can: after the next step the outcome may be gone.
Pending* preferred_now(Pending* const* candidates, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (candidates[i]->prefers) return candidates[i];
  }
  return nullptr;
}

}  // namespace

Pending* Engine::pick(Pending* const* candidates, uint32_t count) {
  if (count == 1) return candidates[0];
  if (__builtin_expect(has_preferences(), 0)) {
    if (Pending* p = preferred_now(candidates, count)) return p;
  }
  const bool even = windows_.even(steps_);
  if (creators_first_ && !even && live_.size() <= kMostGathered) {
    if (Pending* p = first_creator(candidates, count)) return p;
  }
  const auto picks = even ? pick_evenly : strategy_->pick;
  return candidates[picks(candidates, count, {decision_point(), last_thread_})];
}

Pending* Engine::choose_next() {
  enforcement_.begin_choice();
  if (__builtin_expect(windows_.over(steps_), 0)) Ladder{*this}.end_window();
  const auto ready = static_cast<uint32_t>(ready_.size());
  // Mostly everybody may go who can.
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
    const bool time_may_move = preferring == nullptr || ++waits_lent_ <= kMaxLentWaits;
    if (time_may_move && ladder.advance_to_deadline()) {
      if (!ladder.patience()) return nullptr;
      continue;
    }
    if (preferring != nullptr) {
      set_ready(*preferring, true);
      continue;
    }
    if (ready_.size() != 0) {
      if (!ladder.patience()) return nullptr;
      return ladder.next_spinner();
    }
    if (Pending* p = ladder.asks_at_end()) {
      set_ready(*p, true);
      continue;
    }
    end_reason_ = EndReason::stuck;
    return nullptr;
  }
}

}  // namespace heddle::rt
