// The clocks against the plain graph of reference.h, over thousands of random runs: the finished run's two clocks per event, and the tracker as
// it goes along, which has to tell at each access what is past.
#include "reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "order/owned_memory.h"
#include "order/run_order.h"

namespace heddle::order {
namespace {

constexpr uint32_t kRuns = 3000;
constexpr Relation kRelations[] = {Relation::strong, Relation::weak, Relation::must};

std::string name(const SimulatedRun& run, uint32_t i) {
  const Event& e = run.trace.events[i];
  return std::to_string(i) + " " + std::string(kind_info(e.kind).name) + " of thread " + std::to_string(e.thread);
}

// What differs first; empty: nothing.
std::string compare_finished(const SimulatedRun& run, Relation relation) {
  OwnedMemory memory;
  const RunOrder order(run.trace.summary(), relation, memory.memory());
  const Reference reference(run, relation);
  const auto& events = run.trace.events;
  const uint32_t n = static_cast<uint32_t>(events.size());
  for (uint32_t a = 0; a < n; ++a) {
    for (uint32_t b = 0; b < n; ++b) {
      if (a == b) continue;
      const auto differs = [&](const char* what) { return std::string(what) + ": " + name(run, a) + ", " + name(run, b); };
      if (order.precedes(a, b) != reference.end_before_attempt(a, b)) return differs("precedes");
      if (order.orderable(a, b) != (!reference.end_before_attempt(a, b) && !reference.end_before_attempt(b, a))) return differs("orderable");
      // Halves of a rendezvous end together: the one recorded first counts as the earlier one.
      const bool together = relation == Relation::strong && run.truth[a].meets == b;
      const bool before = events[a].finished() && reference.end_before_end(a, b) && !(together && a > b);
      if (order.before(a, b) != before) return differs("before");
    }
  }
  return {};
}

Operation operation(const SimulatedRun& run, uint32_t i) {
  const Event& e = run.trace.events[i];
  return {.thread = e.thread, .object = e.object, .kind = e.kind, .order = e.order, .outcome = e.outcome, .flags = e.flags, .event = i,
          // What comes later is not known yet.
          .partner = e.partner != kNoEvent && e.partner > i ? kNoEvent : e.partner,
          .choice = e.choice, .partner_thread = run.truth[i].with};
}

std::string compare_online(const SimulatedRun& run, Relation relation) {
  OwnedMemory memory;
  ClockTracker tracker(relation, memory.memory());
  const Reference reference(run, relation);
  const auto& events = run.trace.events;
  const uint32_t n = static_cast<uint32_t>(events.size());
  const uint32_t threads = static_cast<uint32_t>(run.trace.threads.size());
  std::vector<uint32_t> epochs(n);
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t u = events[i].thread;
    const auto differs = [&](const char* what, uint32_t a) { return std::string(what) + ": " + name(run, a) + ", " + name(run, i); };
    for (uint32_t a = 0; a < i; ++a) {
      if (events[a].finished() && tracker.in_past(events[a].thread, epochs[a], u) != reference.end_before_attempt(a, i)) return differs("past", a);
    }
    // A plain access that v makes just now, before its next operation.
    for (uint32_t v = 0; v < threads; ++v) {
      uint32_t next = i;
      while (next < n && events[next].thread != v) ++next;
      if (v == u || next == n) continue;
      if (tracker.in_past(v, tracker.epoch(v), u) != reference.attempt_before_attempt(next, i)) return differs("access before", next);
    }
    if (!events[i].finished()) {
      epochs[i] = tracker.pending(u);
      continue;
    }
    epochs[i] = tracker.apply(operation(run, i));
    for (uint32_t a = 0; a < i; ++a) {
      if (events[a].thread == u || !events[a].finished()) continue;
      if (tracker.clock(u).covers(events[a].thread, epochs[a]) != reference.end_before_end(a, i)) return differs("done", a);
    }
    for (uint32_t v = 0; v < threads; ++v) {
      if (run.trace.threads[v].create_event == i) tracker.fork(u, v);
    }
  }
  return {};
}

TEST(Reference, FinishedRuns) {
  for (Relation relation : kRelations) {
    for (uint32_t seed = 0; seed < kRuns; ++seed) {
      const std::string difference = compare_finished(simulate(seed, seed % 2), relation);
      ASSERT_EQ(difference, "") << "relation " << static_cast<int>(relation) << ", seed " << seed;
    }
  }
}

TEST(Reference, AsTheyGoAlong) {
  for (Relation relation : kRelations) {
    for (uint32_t seed = 0; seed < kRuns; ++seed) {
      const std::string difference = compare_online(simulate(seed, false), relation);
      ASSERT_EQ(difference, "") << "relation " << static_cast<int>(relation) << ", seed " << seed;
    }
  }
}

bool after_a_join(const SimulatedRun& run, size_t event) {
  return std::any_of(run.trace.events.begin(), run.trace.events.begin() + static_cast<std::ptrdiff_t>(event),
                     [](const Event& e) { return e.kind == Kind::thread_join && e.outcome == Outcome::none; });
}

// What the simulation never does, the tests above do not show.
TEST(Reference, RunsHoldEveryKindOfEdge) {
  uint32_t values = 0, slots = 0, far = 0, meetings = 0, closes = 0, defaults = 0, threw = 0, losers = 0, woken = 0, stale = 0, successors = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const SimulatedRun run = simulate(seed, true);
    for (size_t i = 0; i < run.truth.size(); ++i) {
      const Event& e = run.trace.events[i];
      const Truth& t = run.truth[i];
      values += t.direction == Truth::receive && e.partner != kNoEvent;
      slots += t.direction == Truth::send && e.partner != kNoEvent;
      far += t.direction == Truth::send && e.partner != kNoEvent && t.number > 32;
      meetings += t.meets != kNoEvent;
      closes += e.kind == Kind::select && e.outcome == Outcome::failure;
      defaults += e.kind == Kind::select && e.choice == kDefaultChoice;
      threw += e.kind == Kind::once_end && e.outcome == Outcome::failure;
      losers += e.kind == Kind::once_begin && e.outcome == Outcome::failure;
      woken += e.kind == Kind::cond_wake && e.partner != kNoEvent;
      successors += e.kind == Kind::thread_start && i > 0 && run.trace.events[i - 1].kind == Kind::thread_create && after_a_join(run, i);
      stale += e.kind == Kind::atomic_load && e.partner == kNoEvent && i > 20;
    }
  }
  const uint32_t counts[] = {values, slots, far, meetings, closes, defaults, threw, losers, woken, stale, successors};
  EXPECT_GE(*std::min_element(std::begin(counts), std::end(counts)), 20u)
      << values << ' ' << slots << ' ' << far << ' ' << meetings << ' ' << closes << ' ' << defaults << ' ' << threw << ' ' << losers << ' '
      << woken << ' ' << stale << ' ' << successors;
}

}  // namespace
}  // namespace heddle::order
