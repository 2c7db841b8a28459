// The beginning of a run as constraints (mutator/knowledge/prefix.h): the next run begins in the same way.
#include <gtest/gtest.h>

#include <utility>

#include "enforced_run.h"
#include "heddle/csp.h"
#include "mutator/knowledge/state_book.h"

namespace heddle::mutator {
namespace {

using Channel = heddle::chan<int>;

void* receives_twice(void* channel) {
  static_cast<Channel*>(channel)->receive();
  static_cast<Channel*>(channel)->receive();
  return nullptr;
}

int sends(const uint8_t*, size_t) {
  Channel c = heddle::make_chan<int>();
  pthread_t threads[2];
  for (pthread_t& t : threads) pthread_create(&t, nullptr, receives_twice, &c);
  for (int i = 0; i < 4; ++i) c.send(i);
  for (const pthread_t t : threads) pthread_join(t, nullptr);
  return 0;
}

void* sends_once(void* channel) {
  static_cast<Channel*>(channel)->send(1);
  return nullptr;
}

// Where both messages are there, the select takes any, and what comes next depends on it.
int selects(const uint8_t*, size_t) {
  Channel stored[2] = {heddle::make_chan<int>(1), heddle::make_chan<int>(1)};
  pthread_mutex_t ones = PTHREAD_MUTEX_INITIALIZER, others = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, sends_once, &stored[i]);
  const auto one = [&](auto) { pthread_mutex_lock(&ones); pthread_mutex_unlock(&ones); };
  const auto other = [&](auto) { pthread_mutex_lock(&others); pthread_mutex_unlock(&others); };
  for (int i = 0; i < 2; ++i) heddle::select(heddle::on_receive(stored[0], one), heddle::on_receive(stored[1], other));
  for (const pthread_t t : threads) pthread_join(t, nullptr);
  return 0;
}

// How many returns come to their state, of how many.
std::pair<int, int> returns(rt::Body body) {
  int whole = 0, all = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Schedule schedule;
    schedule.seed = seed;
    schedule.strategy = StrategyId::random_walk;
    Execution parent(schedule, body);
    EXPECT_TRUE(parent.finished());
    parent.run.flags &= ~static_cast<uint32_t>(kRunFamiliar);  // an earlier seed may have made the same order
    StateBook book;
    book.learn(parent.run, schedule);
    Rng rng(seed);
    for (int i = 0; i < 20; ++i, ++all) {
      Schedule child = book.return_to_rare(rng);
      child.seed = rng.next();
      child.strategy = StrategyId::random_walk;
      const Execution e(child, body);
      EXPECT_TRUE(e.finished());
      whole += e.realised();
    }
  }
  return {whole, all};
}

// A thread that waits for a message has begun to before the other end came. Where it only ended, its element would keep it from waiting.
TEST(EnforcedPrefix, ReturnsToMessagesThatNoChannelKeeps) {
  const auto [whole, all] = returns(sends);
  EXPECT_EQ(whole, all);
}

TEST(EnforcedPrefix, ReturnsToChoicesOfASelect) {
  const auto [whole, all] = returns(selects);
  EXPECT_EQ(whole, all);
}

}  // namespace
}  // namespace heddle::mutator
