#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "controlled_run.h"
#include "engine/settling.h"

namespace heddle::test {
namespace {

using rt::FindingType;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(Threads, JoinGivesTheResult) {
  void* result = nullptr;
  const Ends ends = run_seeds(50, [&] {
    pthread_t t;
    pthread_create(&t, nullptr, [](void* p) -> void* { return static_cast<char*>(p) + 1; }, nullptr);
    pthread_join(t, &result);
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_EQ(result, reinterpret_cast<void*>(1));
}

TEST(Threads, Misuse) {
  EXPECT_TRUE(run_seed(1, [] { pthread_join(pthread_self(), nullptr); }).found(FindingType::join_self));
  EXPECT_TRUE(run_seed(1, [] {
                pthread_t t;
                pthread_create(&t, nullptr, [](void* p) { return p; }, nullptr);
                pthread_join(t, nullptr);
                pthread_join(t, nullptr);
              }).found(FindingType::double_join));
}

TEST(Threads, JoiningOneThatNeverEndsIsADeadlock) {
  const Ends ends = run_seeds(20, [] {
    static pthread_mutex_t m;
    pthread_mutex_init(&m, nullptr);
    pthread_mutex_lock(&m);
    std::thread([] { pthread_mutex_lock(&m); }).join();
  });
  EXPECT_EQ(ends.stuck, 20);
}

int work(void* mutex) {
  mtx_lock(static_cast<mtx_t*>(mutex));
  mtx_unlock(static_cast<mtx_t*>(mutex));
  return -5;
}

// Such a run is cut short, and its blocked threads are no finding. Few seeds follow the others for long.
TEST(Threads, WhoWorksForEverIsLeftSomeTimeAfterMain) {
  constexpr uint32_t kSeeds = 64;
  uint32_t longer = 0;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t semaphore;
      sem_init(&semaphore, 0, 0);
      std::thread([] {
        for (;;) sem_post(&semaphore);
      }).detach();
    });
    EXPECT_EQ(r.end, rt::EndReason::step_bound);
    EXPECT_GT(r.events.size(), rt::kShortSettle / 2);
    EXPECT_LT(r.events.size(), 3 * rt::kSettleOperations);
    EXPECT_TRUE(r.findings.empty());
    longer += r.events.size() > 3 * rt::kShortSettle;
  }
  EXPECT_GT(longer, kSeeds / 32);
  EXPECT_LT(longer, kSeeds / 4);
}

TEST(Threads, OfC11) {
  int result = 0, locked = 0;
  const auto body = [&] {
    mtx_t m;
    mtx_init(&m, mtx_plain);
    thrd_t t;
    thrd_create(&t, work, &m);
    locked = mtx_lock(&m);
    mtx_unlock(&m);
    thrd_join(t, &result);
    mtx_destroy(&m);
  };
  EXPECT_EQ(run_seeds(50, body).finished, 50);
  EXPECT_EQ(result, -5);
  EXPECT_EQ(locked, thrd_success);
  const Result r = run_seed(1, body);
  EXPECT_EQ(r.count(Kind::thread_create), 1);
  EXPECT_EQ(r.count(Kind::mutex_lock), 2);
}

TEST(Time, SleepsCostNoTimeAndKeepTheirOrder) {
  bool wrong = false;
  int early = 0;
  const auto begin = Clock::now();
  const Ends ends = run_seeds(100, [&] {
    int order = 0, slow = 0, fast = 0;
    std::thread a([&] {
      std::this_thread::sleep_for(2h);
      slow = ++order;
    });
    std::thread b([&] {
      std::this_thread::sleep_for(1h);
      fast = ++order;
    });
    a.join();
    b.join();
    wrong = wrong || slow == fast;
    early += slow < fast;  // a sleep may end late: the other one's end is a choice point of its own
  });
  EXPECT_EQ(ends.finished, 100);
  EXPECT_FALSE(wrong);
  EXPECT_LT(early, 40);
  EXPECT_LT(Clock::now() - begin, 1h);
}

TEST(Time, ALoopThatWaitsForTheClockEnds) {
  const Ends ends = run_seeds(20, [] {
    const auto end = Clock::now() + 1h;
    while (Clock::now() < end) {
    }
  });
  EXPECT_EQ(ends.finished, 20);
}

TEST(Time, TheClockIsTheSameInEveryRun) {
  int64_t first = 0, second = 0;
  run_seed(1, [&] { first = Clock::now().time_since_epoch().count(); });
  run_seed(1, [&] { second = Clock::now().time_since_epoch().count(); });
  EXPECT_EQ(first, second);
}

TEST(Identity, ThreadNumbersAreStableAndDistinct) {
  pid_t main_number = 0, child[2] = {}, by_call = 0;
  for (pid_t& number : child) {
    run_seed(1, [&] {
      main_number = gettid();
      std::thread([&] {
        number = gettid();
        by_call = static_cast<pid_t>(syscall(SYS_gettid));
      }).join();
    });
  }
  EXPECT_EQ(main_number, getpid());
  EXPECT_NE(child[0], main_number);
  EXPECT_EQ(child[0], child[1]);
  EXPECT_EQ(child[0], by_call);
}

TEST(Random, FollowsFromTheSeed) {
  uint64_t got[3] = {};
  unsigned device[3] = {};
  const uint64_t seeds[3] = {5, 5, 6};
  for (int i = 0; i < 3; ++i) {
    run_seed(seeds[i], [&, i] {
      getrandom(&got[i], sizeof got[i], 0);
      uint64_t again = 0;
      getentropy(&again, sizeof again);
      if (again == got[i]) got[i] = 0;
      device[i] = std::random_device{}();
    });
  }
  EXPECT_EQ(got[0], got[1]);
  EXPECT_NE(got[0], got[2]);
  EXPECT_NE(got[0], 0u);
  EXPECT_EQ(device[0], device[1]);
  EXPECT_NE(device[0], device[2]);
}

TEST(Blocking, PollSleepsInVirtualTimeAndSeesWhatIsReady) {
  int empty = -1, ready = -1;
  const auto begin = Clock::now();
  const Result r = run_seed(1, [&] {
    poll(nullptr, 0, 3'600'000);
    const int fd = eventfd(0, 0);
    pollfd p = {fd, POLLIN, 0};
    empty = poll(&p, 1, 3'600'000);
    const uint64_t one = 1;
    if (write(fd, &one, sizeof one) != sizeof one) abort();
    ready = poll(&p, 1, -1);
    close(fd);
  });
  EXPECT_TRUE(r.finished());
  EXPECT_EQ(empty, 0);
  EXPECT_EQ(ready, 1);
  EXPECT_LT(Clock::now() - begin, 1h);
}

using RefusedDeathTest = testing::Test;

void expect_refused(const char* line, void (*call)()) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_seed(1, call), testing::ExitedWithCode(99), line);
}

// A server that drops privileges sets what it may have already.
TEST(Refused, AnIdentityThatStaysIsNotRefused) {
  run_seed(1, [] {
    uid_t user[3];
    gid_t group[3], groups[256];
    ASSERT_EQ(getresuid(&user[0], &user[1], &user[2]), 0);
    ASSERT_EQ(getresgid(&group[0], &group[1], &group[2]), 0);
    const int count = getgroups(256, groups);
    EXPECT_EQ(setgroups(static_cast<size_t>(count), groups), 0);
    EXPECT_EQ(setgid(group[0]), 0);
    EXPECT_EQ(setegid(group[1]), 0);
    EXPECT_EQ(setregid(group[0], static_cast<gid_t>(-1)), 0);
    EXPECT_EQ(setresgid(group[0], static_cast<gid_t>(-1), group[2]), 0);
    EXPECT_EQ(setuid(user[0]), 0);
    EXPECT_EQ(seteuid(user[1]), 0);
    EXPECT_EQ(setreuid(static_cast<uid_t>(-1), user[1]), 0);
    EXPECT_EQ(setresuid(user[0], user[1], user[2]), 0);
  });
}

TEST(RefusedDeathTest, WhatWouldStopOrLeaveTheWorld) {
  // Each program with GoogleTest may have forked for one of its death tests.
  expect_refused("fork is not supported on a controlled thread: if this is a death test of GoogleTest, leave it out", [] { fork(); });
  expect_refused("popen is not supported", [] { popen("true", "r"); });
  expect_refused("execl is not supported", [] { execl("/bin/true", "true", nullptr); });
  expect_refused("setuid is not supported", [] { (void)!setuid(getuid() + 1); });
  expect_refused("setgroups is not supported.*Start the program as that user", [] {
    gid_t one_more[257];
    const int count = getgroups(256, one_more);
    one_more[count] = 12345;
    (void)!setgroups(static_cast<size_t>(count) + 1, one_more);
  });
  expect_refused("mq_notify is not supported", [] { mq_notify(0, nullptr); });
  // What was made outside of the execution may be used by any process.
  static const int outside = eventfd(0, 0);
  expect_refused("read is not supported", [] {
    uint64_t n;
    (void)!read(outside, &n, sizeof n);
  });
  expect_refused("poll is not supported", [] {
    pollfd p[2] = {{outside, POLLIN, 0}, {eventfd(0, 0), POLLIN, 0}};
    poll(p, 2, -1);
  });
  expect_refused("syscall.SYS_fork. is not supported", [] { syscall(SYS_fork); });
  expect_refused("for a new thread or process", [] { syscall(SYS_clone, 0, nullptr); });
  expect_refused("clone is not supported", [] {
    static char stack[4096];
    clone([](void*) { return 0; }, stack + sizeof stack, 0, nullptr);
  });
}

// Outside of an execution everything is libc's.
TEST(RefusedDeathTest, PassesElsewhere) {
  const pid_t child = fork();
  if (child == 0) _exit(3);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(system("exit 4") >> 8, 4);
  EXPECT_EQ(gettid(), static_cast<pid_t>(syscall(SYS_gettid)));
}

}  // namespace
}  // namespace heddle::test
