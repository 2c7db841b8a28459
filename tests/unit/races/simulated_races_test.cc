// The race detector over random runs of every kind of operation, channels above all: it reports no pair that happens-before orders, and
// misses no variable that races.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "races/race_detector.h"
#include "reference.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr uintptr_t kVariables = 0x123456000, kFirstPc = 0x1000;
constexpr uint32_t kRuns = 2000;

// Each just before the event with this number, by its thread.
struct Access {
  uint32_t event, variable;
  bool write;
};

using Pair = std::pair<SiteId, SiteId>;
Pair ordered(SiteId a, SiteId b) { return a < b ? Pair{a, b} : Pair{b, a}; }
SiteId site_of(uint32_t event) { return sites()[sites().index_of(kFirstPc + 16 * event)].id; }

std::vector<Access> run_detector(const SimulatedRun& run, uint32_t seed) {
  std::mt19937 rng(seed);
  std::vector<Access> accesses;
  race_detector_begin();
  race_detector_thread(0, 0, 0, 0);
  const auto& events = run.trace.events;
  for (uint32_t i = 0; i < events.size() && events[i].finished(); ++i) {
    Event e = events[i];
    // A thread in a rendezvous does nothing else until its half is over. A thread that has not started does nothing.
    const bool second_half = run.truth[i].meets != kNoEvent && run.truth[i].meets < i;
    if (!second_half && e.kind != Kind::thread_start && rng() % 4 != 0) {
      const Access a{i, static_cast<uint32_t>(rng() % 6), rng() % 3 == 0};
      accesses.push_back(a);
      race_detector_access(e.thread, kVariables + 8 * a.variable, 4, a.write, kFirstPc + 16 * i);
    }
    if (e.partner != kNoEvent && e.partner > i) e.partner = kNoEvent;  // not known yet
    race_detector_event(e, run.truth[i].with);
    if (e.kind == Kind::thread_create && e.outcome == Outcome::none) race_detector_thread(run.truth[i].number, 0, 0, 0);
    if (e.kind == Kind::thread_exit) race_detector_ended(e.thread);
  }
  return accesses;
}

TEST(SimulatedRaces, NoneIsInventedAndNoVariableIsMissed) {
  sites().initialise();
  race_detector_initialise();
  uint32_t racing = 0, clean = 0;
  for (uint32_t seed = 0; seed < kRuns; ++seed) {
    const SimulatedRun run = simulate(seed, false, true);
    const std::vector<Access> accesses = run_detector(run, seed);
    const order::Reference reference(run, order::Relation::strong);
    std::map<uint32_t, std::set<Pair>> expected;
    for (const Access& a : accesses) {
      for (const Access& b : accesses) {
        if (a.event >= b.event || a.variable != b.variable || !(a.write || b.write)) continue;
        if (run.trace.events[a.event].thread == run.trace.events[b.event].thread) continue;
        const bool race = !reference.attempt_before_attempt(a.event, b.event);
        if (race) expected[a.variable].insert(ordered(site_of(a.event), site_of(b.event)));
        ++(race ? racing : clean);
      }
    }
    uint32_t count = 0;
    const RacingPair* pairs = race_detector_pairs(count);
    std::set<Pair> found;
    for (uint32_t i = 0; i < count; ++i) found.insert(ordered(pairs[i].first, pairs[i].second));
    std::set<Pair> possible;
    for (const auto& [variable, of_variable] : expected) {
      bool seen = false;
      for (const Pair& p : of_variable) seen |= found.count(p) != 0;
      ASSERT_TRUE(seen) << "a race is missed: seed " << seed << ", variable " << variable;
      possible.insert(of_variable.begin(), of_variable.end());
    }
    for (const Pair& p : found) ASSERT_TRUE(possible.count(p)) << "a race is invented: seed " << seed;
  }
  EXPECT_GT(racing, kRuns);
  EXPECT_GT(clean, kRuns);
}

}  // namespace
}  // namespace heddle::rt
