// Wait groups, once flags and go.
#include <gtest/gtest.h>
#include <heddle/chan.h>
#include <heddle/go.h>
#include <heddle/once.h>
#include <heddle/wait_group.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace channels_test {
namespace {

using heddle::once;
using heddle::wait_group;

constinit wait_group group_at_namespace_scope;
constinit once once_at_namespace_scope;

TEST(WaitGroup, WaitsForAll) {
  wait_group all;
  all.wait();
  int plain[8] = {};
  for (int& n : plain) all.go([&n] { n = 1; });
  all.wait();
  for (int n : plain) EXPECT_EQ(n, 1);
  all.add(2);
  heddle::go([&] { all.done(); });
  heddle::go([&all](int n) { all.add(-n); }, 1);
  all.wait();
}

TEST(WaitGroup, SeveralMayWait) {
  wait_group all;
  all.add(1);
  std::atomic<int> came = 0, returned = 0;
  std::vector<std::jthread> waiters;
  for (int i = 0; i < 4; ++i) {
    waiters.emplace_back([&] {
      ++came;
      all.wait();
      ++returned;
    });
  }
  while (came != 4) std::this_thread::yield();
  EXPECT_EQ(returned, 0);
  all.done();
  waiters.clear();
  EXPECT_EQ(returned, 4);
}

TEST(WaitGroup, NeverBecomesNegative) {
  wait_group all;
  EXPECT_THROW(all.done(), std::logic_error);
  all.add(2);
  EXPECT_THROW(all.add(-3), std::logic_error);
  EXPECT_THROW(all.add(INT64_MIN), std::logic_error);
  EXPECT_THROW(all.add(INT64_MAX), std::logic_error);
  all.add(-2);
  all.wait();
  group_at_namespace_scope.wait();
}

TEST(WaitGroup, MayBeDestroyedByWhoHasWaited) {
  for (int i = 0; i < 2000; ++i) {
    auto all = std::make_unique<wait_group>();
    all->go([] {});
    all->go([] {});
    all->wait();
  }
}

TEST(WaitGroup, GoTakesArgumentsAsAThreadDoes) {
  wait_group all;
  auto c = heddle::make_chan<int>(2);
  struct Adder {
    int base;
    void add(int n, heddle::chan<int> to) const { to.send(base + n); }
  };
  const Adder adder{40};
  all.go(&Adder::add, &adder, 2, c);
  all.go([](std::unique_ptr<int> p, heddle::chan<int> to) { to.send(*p); },
         std::make_unique<int>(1), c);
  all.wait();
  EXPECT_EQ(*c.receive() + *c.receive(), 43);
}

TEST(Once, RunsOnce) {
  once o;
  int runs = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      o.call([&] { ++runs; });
      EXPECT_EQ(runs, 1);  // seen, without any other synchronisation
    });
  }
  threads.clear();
  o.call([&] { ++runs; });
  EXPECT_EQ(runs, 1);
  once_at_namespace_scope.call([&] { ++runs; });
  EXPECT_EQ(runs, 2);
}

TEST(Once, WhoComesWhileItRunsWaits) {
  once o;
  std::atomic<bool> go_on = false;
  std::atomic<int> came = 0, returned = 0;
  std::atomic<bool> runs = false;
  std::jthread first([&] {
    o.call([&] {
      runs = true;
      while (!go_on) std::this_thread::yield();
    });
  });
  while (!runs) std::this_thread::yield();
  std::vector<std::jthread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&] {
      ++came;
      o.call([] { FAIL(); });
      EXPECT_TRUE(go_on);
      ++returned;
    });
  }
  while (came != 3) std::this_thread::yield();
  EXPECT_EQ(returned, 0);
  go_on = true;
  others.clear();
  EXPECT_EQ(returned, 3);
}

TEST(Once, AfterAnExceptionTheNextOneRuns) {
  once o;
  int runs = 0;
  const auto fails = [&] {
    ++runs;
    throw std::runtime_error("first");
  };
  EXPECT_THROW(o.call(fails), std::runtime_error);
  EXPECT_THROW(o.call(fails), std::runtime_error);
  o.call([&] { ++runs; });
  o.call(fails);
  EXPECT_EQ(runs, 3);
}

TEST(Once, AnExceptionLetsOneOfTheWaitingRun) {
  once o;
  std::atomic<int> came = 0, runs = 0, thrown = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      ++came;
      try {
        o.call([&] {
          while (came != 6) std::this_thread::yield();
          if (++runs <= 3) throw std::runtime_error("again");
        });
      } catch (const std::runtime_error&) {
        ++thrown;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(runs, 4);
  EXPECT_EQ(thrown, 3);
}

}  // namespace
}  // namespace channels_test
