// The modes that flip selects and delay operations, against programs under control: what a mode asks for in its first children happens.
#include <gtest/gtest.h>
#include <heddle/csp.h>

#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "enforced_run.h"
#include "mutator/modes/mode.h"
#include "schema/codec.h"

// The driver's, which is not linked here.
extern "C" __attribute__((visibility("default"))) int heddle_under_control(void) { return heddle::rt::controlled() ? 1 : 0; }

namespace heddle::mutator {
namespace {

int outcome = 0;  // what a body tells

// The outcomes of the recorded run and of the mode's first `children`, in order.
std::vector<int> outcomes(std::string_view name, rt::Body body, uint64_t seed, int children) {
  Shared shared{Options{}};
  const auto mode = mode_by_name(name)->make(name, shared);
  Rng rng(seed);
  Schedule schedule;
  schedule.seed = seed;
  std::vector<int> all;
  for (int i = 0; i <= children; ++i) {
    outcome = 0;
    const Execution run(schedule, body);
    all.push_back(outcome);
    const std::vector<uint8_t> input = encode_schedule(schedule);
    EXPECT_EQ(run.run.hash, hash_input(input));
    mode->learn(run.run, input);
    Schedule child;
    mode->next({schedule, run.run.hash, false, 4096}, child, rng);
    schedule = child;
    mode->made(hash_input(encode_schedule(schedule)), Making::next);
  }
  return all;
}

// Both outcomes in two runs, from each of the seeds, no matter which one the recorded run has.
void expect_reversed(std::string_view mode, rt::Body body) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const auto both = outcomes(mode, body, seed, 1);
    EXPECT_EQ((std::set<int>{both[0], both[1]}), (std::set<int>{1, 2})) << seed;
  }
}

// A once after noise, an example of AdvocateGo's documentation.
int once_and_noise(const uint8_t*, size_t) {
  const auto c = make_chan<int>();
  once on;
  wait_group done;
  done.add(2);
  go([&] {
    on.call([] { outcome = 1; });
    done.done();
  });
  go([&] {
    for (int i = 0; i < 50; ++i) c.send(i);
    done.done();
  });
  for (int i = 0; i < 50; ++i) c.receive();
  on.call([] { outcome = 2; });
  done.wait();
  return 0;
}

TEST(EnforcedModes, FlowLetsTheOtherOnceWin) { expect_reversed("flow", once_and_noise); }

int two_sends(const uint8_t*, size_t) {
  const auto c = make_chan<int>(2);
  go([c] { c.send(1); });
  go([c] { c.send(2); });
  outcome = *c.receive();
  c.receive();
  return 0;
}

TEST(EnforcedModes, FlowTurnsTwoSendsRound) { expect_reversed("flow", two_sends); }

int try_lock(const uint8_t*, size_t) {
  std::mutex m;
  wait_group done;
  done.add(1);
  bool locked = false;
  go([&] {
    m.lock();
    locked = true;
    m.unlock();
    done.done();
  });
  if (m.try_lock()) {
    outcome = locked ? 1 : 2;
    m.unlock();
  } else {
    outcome = 1;
  }
  done.wait();
  return 0;
}

TEST(EnforcedModes, FlowLetsTheTryLockComeFirstOrLast) { expect_reversed("flow", try_lock); }

// Eight cases, partners for the second and the sixth.
int eight(const uint8_t*, size_t) {
  std::vector<chan<int>> channels;
  selector any;
  for (int i = 0; i < 8; ++i) {
    channels.push_back(make_chan<int>(1));
    any.receive(channels.back());
  }
  go([c = channels[1]] { c.send(1); });
  go([c = channels[5]] { c.send(1); });
  outcome = any.wait() == 1 ? 1 : 2;
  return 0;
}

TEST(EnforcedModes, GfuzzHbTakesTheOtherCaseWithAPartner) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const auto all = outcomes("gfuzz-hb", eight, seed, 9);
    found += std::set<int>(all.begin(), all.end()).size() == 2;
  }
  EXPECT_GE(found, 9);
}

// The default case when a value is there, and a value that comes late instead of the default.
int with_default(const uint8_t*, size_t) {
  const auto c = make_chan<int>(1);
  go([c] { c.send(1); });
  outcome = 2;
  select(on_receive(c, [](auto) { outcome = 1; }), otherwise([] {}));
  return 0;
}

TEST(EnforcedModes, BothForceTheDefaultAndWhatComesLate) {
  for (std::string_view mode : {"gfuzz", "gfuzz-hb"}) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      const auto all = outcomes(mode, with_default, seed, 8);
      EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), 2u) << mode << ' ' << seed;
    }
  }
}

TEST(EnforcedModes, TheBaselinesSeeBothOrdersOfTwoSends) {
  for (std::string_view mode : {"rff", "random", "pct", "pos", "surw"}) {
    int found = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      const auto all = outcomes(mode, two_sends, seed, 40);
      found += std::set<int>(all.begin(), all.end()).size() == 2;
    }
    EXPECT_GE(found, 9) << mode;
  }
}

TEST(EnforcedModes, AreDeterministic) {
  for (std::string_view mode : {"gfuzz", "gfuzz-hb", "flow", "rff", "random", "pct", "pos", "surw"}) EXPECT_EQ(outcomes(mode, eight, 3, 10), outcomes(mode, eight, 3, 10));
}

}  // namespace
}  // namespace heddle::mutator
