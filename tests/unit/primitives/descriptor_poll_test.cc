// poll, select, epoll and timers as descriptors.
#include <gtest/gtest.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <map>
#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

TEST(Poll, WaitsForTheWrite) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    std::thread writer([&] { (void)!write(ends[1], "x", 1); });
    pollfd p = {ends[0], POLLIN, 0};
    char c;
    wrong = wrong || poll(&p, 1, -1) != 1 || (p.revents & POLLIN) == 0 || read(ends[0], &c, 1) != 1;
    writer.join();
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

TEST(Poll, NothingEverIsADeadlock) {
  const Ends ends = run_seeds(10, [] {
    pollfd p[2] = {{eventfd(0, 0), POLLIN, 0}, {eventfd(0, 0), POLLIN, 0}};
    poll(p, 2, -1);
  });
  EXPECT_EQ(ends.stuck, 10);
}

// Two writers: which of the two is reported, or both.
struct Two {
  int ends[2][2];
  std::map<int, int> seen;
  Result result;

  void body() {
    if (pipe(ends[0]) != 0 || pipe(ends[1]) != 0) return;
    std::thread a([&] { (void)!write(ends[0][1], "x", 1); });
    std::thread b([&] { (void)!write(ends[1][1], "x", 1); });
    pollfd p[2] = {{ends[0][0], POLLIN, 0}, {ends[1][0], POLLIN, 0}};
    poll(p, 2, -1);
    ++seen[(p[0].revents != 0) + 2 * (p[1].revents != 0)];
    a.join();
    b.join();
  }
  Result run_with(const Schedule& s) {
    return run(s, [this] { body(); });
  }
};

TEST(Poll, ReportsAnyAndAll) {
  Two two;
  run_seeds(300, [&] { two.body(); });
  EXPECT_EQ(two.seen[0], 0);
  for (const int which : {1, 2, 3}) EXPECT_GT(two.seen[which], 10) << which;
}

TEST(Poll, APreferredCaseIsWaitedFor) {
  Two two;
  const Result first = two.run_with({});
  const Event* wait = first.event(Kind::descriptor_wait, 0);
  ASSERT_NE(wait, nullptr);
  ASSERT_EQ(first.select_cases.size(), 2u);
  EXPECT_EQ(first.select_cases[0].index, 2);
  EXPECT_EQ(first.select_cases[1].index, 3);
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    for (const int index : {0, 1}) {
      two.seen.clear();
      Schedule s;
      s.seed = seed;
      s.selects.push_back({0, wait->site, 0, 2 + index, Kind::descriptor_wait, {}});
      two.run_with(s);
      EXPECT_EQ(two.seen[index == 0 ? 2 : 1], 0) << seed;  // never the other one alone
    }
  }
}

TEST(Poll, AnEarlyTimeLimitIsAPreference) {
  int n = -1;
  const auto body = [&] {
    const int fd = eventfd(0, 0);
    std::thread other([&] { eventfd_write(fd, 1); });
    pollfd p = {fd, POLLIN, 0};
    n = poll(&p, 1, 5000);
    other.join();
  };
  const Result first = run_seed(1, body);
  const Event* wait = first.event(Kind::descriptor_wait, 0);
  ASSERT_NE(wait, nullptr);
  int outcomes[2] = {};
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Schedule s;
    s.seed = seed;
    s.selects.push_back({0, wait->site, 0, 0, Kind::descriptor_wait, {}});
    run(s, body);
    EXPECT_EQ(n, 1);  // 0: never early
    s.selects[0].choice = 1;
    run(s, body);
    ++outcomes[n];
  }
  EXPECT_GT(outcomes[0], 30);
}

// What the thread itself has made ready is always reported.
TEST(Poll, MissesNothingThatWasReadyBefore) {
  bool wrong = false;
  run_seeds(200, [&] {
    const int one = eventfd(1, 0), two = eventfd(1, 0), three = eventfd(0, 0);
    std::thread other([&] { eventfd_write(three, 1); });
    pollfd p[3] = {{one, POLLIN, 0}, {two, POLLIN, 0}, {three, POLLIN, 0}};
    const int n = poll(p, 3, -1);
    wrong = wrong || n < 2 || p[0].revents == 0 || p[1].revents == 0 || n != 2 + (p[2].revents != 0);
    other.join();
  });
  EXPECT_FALSE(wrong);
}

TEST(Poll, ATimeLimitGoesBothWays) {
  int outcomes[2] = {};
  bool wrong = false;
  run_seeds(300, [&] {
    const int fd = eventfd(0, 0);
    std::thread other([&] { eventfd_write(fd, 1); });
    timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pollfd p = {fd, POLLIN, 0};
    const int n = poll(&p, 1, 5000);
    clock_gettime(CLOCK_MONOTONIC, &after);
    wrong = wrong || (n == 0 && after.tv_sec - before.tv_sec < 4);
    ++outcomes[n];
    other.join();
  });
  EXPECT_FALSE(wrong);
  EXPECT_GT(outcomes[0], 5);
  EXPECT_GT(outcomes[1], 100);
}

TEST(Poll, OneThatIsClosedIsInvalid) {
  short revents = 0;
  run_seed(1, [&] {
    const int fd = eventfd(0, 0);
    close(fd);
    pollfd p = {fd, POLLIN, 0};
    poll(&p, 1, -1);
    revents = p.revents;
  });
  EXPECT_EQ(revents, POLLNVAL);
}

TEST(Select, SetsSayWhatIsReady) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    std::thread writer([&] { (void)!write(ends[1], "x", 1); });
    fd_set reads, writes;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_SET(ends[0], &reads);
    const int n = select(ends[0] + 1, &reads, &writes, nullptr, nullptr);
    wrong = wrong || n != 1 || !FD_ISSET(ends[0], &reads);
    FD_SET(ends[1], &writes);
    wrong = wrong || select(ends[1] + 1, nullptr, &writes, nullptr, nullptr) != 1 || !FD_ISSET(ends[1], &writes);
    writer.join();
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

// One event at a time: either may be the first.
struct Pair {
  int first[2] = {};
  bool wrong = false;

  void body(uint32_t flags) {
    const int epoll = epoll_create1(0);
    const int fd[2] = {eventfd(0, EFD_NONBLOCK), eventfd(0, EFD_NONBLOCK)};
    for (const int i : {0, 1}) {
      epoll_event e = {};
      e.events = EPOLLIN | flags;
      e.data.u64 = 0x1234500000000 + static_cast<uint64_t>(i);
      wrong = wrong || epoll_ctl(epoll, EPOLL_CTL_ADD, fd[i], &e) != 0;
    }
    std::thread other([&] {
      eventfd_write(fd[0], 1);
      eventfd_write(fd[1], 1);
    });
    bool seen[2] = {};
    for (int n = 0; n < 2; ++n) {
      epoll_event e = {};
      wrong = wrong || epoll_wait(epoll, &e, 1, -1) != 1;
      const uint64_t i = e.data.u64 - 0x1234500000000;
      wrong = wrong || i > 1 || seen[i & 1];
      seen[i & 1] = true;
      if (n == 0) ++first[i & 1];
      eventfd_t count;
      wrong = wrong || eventfd_read(fd[i & 1], &count) != 0;
    }
    epoll_event e;
    wrong = wrong || epoll_wait(epoll, &e, 1, 0) != 0;
    other.join();
  }
};

TEST(Epoll, WhichComesFirstIsAChoice) {
  for (const uint32_t flags : {uint32_t{0}, static_cast<uint32_t>(EPOLLET), static_cast<uint32_t>(EPOLLONESHOT)}) {
    Pair pair;
    const Ends ends = run_seeds(300, [&] { pair.body(flags); });
    EXPECT_EQ(ends.finished, 300);
    EXPECT_FALSE(pair.wrong);
    EXPECT_GT(pair.first[0], 10);
    if (flags == 0) EXPECT_GT(pair.first[1], 10);  // the kernel gives an edge once: nothing may be put back
  }
}

TEST(Epoll, APreferredRegistrationIsWaitedFor) {
  Pair pair;
  const Result first = run_seed(1, [&] { pair.body(0); });
  const Event* wait = first.event(Kind::descriptor_wait, 0);
  ASSERT_NE(wait, nullptr);
  for (const int index : {0, 1}) {
    pair = {};
    for (uint64_t seed = 1; seed <= 50; ++seed) {
      Schedule s;
      s.seed = seed;
      s.selects.push_back({0, wait->site, 1, 2 + index, Kind::descriptor_wait, {}});
      run(s, [&] { pair.body(0); });
    }
    EXPECT_EQ(pair.first[index], 50);
    EXPECT_FALSE(pair.wrong);
  }
}

// The kernel gives an edge, or the event of a registration for once, to one of those that wait.
TEST(Epoll, WhatOneHasTakenIsNotThereForTheOther) {
  for (const uint32_t flags : {static_cast<uint32_t>(EPOLLET), static_cast<uint32_t>(EPOLLONESHOT)}) {
    int taken = 0;
    const Ends ends = run_seeds(100, [&] {
      const int epoll = epoll_create1(0), fd = eventfd(0, 0);
      epoll_event e = {};
      e.events = EPOLLIN | flags;
      epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
      const auto serve = [&] {
        epoll_event out;
        const int n = epoll_wait(epoll, &out, 1, -1);
        eventfd_t count;
        eventfd_read(fd, &count);
        epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &e);
        taken += n;
      };
      std::thread a(serve), b(serve);
      eventfd_write(fd, 1);
      while (taken % 2 == 0) std::this_thread::yield();
      eventfd_write(fd, 1);
      a.join();
      b.join();
    });
    EXPECT_EQ(ends.finished, 100);
    EXPECT_EQ(taken, 200);
  }
}

TEST(Epoll, TwoWaitForOneEvent) {
  const Ends ends = run_seeds(50, [] {
    const int epoll = epoll_create1(0), fd = eventfd(0, 0);
    epoll_event e = {};
    e.events = EPOLLIN;
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
    const auto wait = [&] {
      epoll_event out;
      epoll_wait(epoll, &out, 1, -1);
    };
    std::thread a(wait), b(wait);
    eventfd_write(fd, 1);
    a.join();
    b.join();
  });
  EXPECT_EQ(ends.finished, 50);
}

// The list contains open descriptions, not numbers: it keeps a description that another number still refers to.
TEST(Epoll, ARegistrationOutlivesItsNumber) {
  const auto body = [](bool written) {
    const int epoll = epoll_create1(0), fd = eventfd(0, 0);
    epoll_event e = {};
    e.events = EPOLLIN;
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
    const int other = dup(fd);
    close(fd);
    std::thread writer([=] {
      if (written) eventfd_write(other, 1);
    });
    epoll_wait(epoll, &e, 1, -1);
    writer.join();
  };
  EXPECT_EQ(run_seeds(20, [&] { body(true); }).finished, 20);
  EXPECT_EQ(run_seeds(20, [&] { body(false); }).stuck, 20);
}

TEST(Epoll, ARegistrationMadeWhileSomebodyWaits) {
  const Ends ends = run_seeds(100, [] {
    const int epoll = epoll_create1(0), fd = eventfd(1, 0);
    std::thread waiter([&] {
      epoll_event out;
      epoll_wait(epoll, &out, 1, -1);
    });
    epoll_event e = {};
    e.events = EPOLLIN;
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
    waiter.join();
  });
  EXPECT_EQ(ends.finished, 100);
}

int64_t seconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

TEST(Timerfd, ExpiresInVirtualTime) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    const int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    const itimerspec hour = {{0, 0}, {3600, 0}};
    const int64_t begin = seconds();
    wrong = wrong || timerfd_settime(fd, 0, &hour, nullptr) != 0;
    itimerspec left;
    wrong = wrong || timerfd_gettime(fd, &left) != 0 || left.it_value.tv_sec < 3598 || left.it_value.tv_sec > 3600;
    uint64_t n = 0;
    wrong = wrong || read(fd, &n, sizeof n) != sizeof n || n != 1 || seconds() - begin < 3600;
    timerfd_gettime(fd, &left);
    wrong = wrong || left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0;
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

TEST(Timerfd, AnIntervalCounts) {
  bool wrong = false;
  run_seeds(20, [&] {
    const int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
    const itimerspec every = {{10, 0}, {10, 0}};
    timerfd_settime(fd, 0, &every, nullptr);
    uint64_t n = 0;
    wrong = wrong || read(fd, &n, sizeof n) != -1;
    sleep(35);
    wrong = wrong || read(fd, &n, sizeof n) != sizeof n || n != 3;
    pollfd p = {fd, POLLIN, 0};
    wrong = wrong || poll(&p, 1, -1) != 1 || read(fd, &n, sizeof n) != sizeof n || n != 1;
    const itimerspec never = {};
    itimerspec old;
    timerfd_settime(fd, 0, &never, &old);
    wrong = wrong || old.it_interval.tv_sec != 10 || poll(&p, 1, 100'000) != 0;
  });
  EXPECT_FALSE(wrong);
}

TEST(Timerfd, InAnEpoll) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    const int epoll = epoll_create1(0), fd = timerfd_create(CLOCK_MONOTONIC, 0);
    epoll_event e = {};
    e.events = EPOLLIN;
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
    std::thread setter([&] {
      const itimerspec soon = {{0, 0}, {0, 1000}};
      timerfd_settime(fd, 0, &soon, nullptr);
    });
    wrong = wrong || epoll_wait(epoll, &e, 1, -1) != 1;
    setter.join();
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

TEST(Timerfd, DisarmedIsADeadlock) {
  const Ends ends = run_seeds(10, [] {
    const int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    uint64_t n;
    (void)!read(fd, &n, sizeof n);
  });
  EXPECT_EQ(ends.stuck, 10);
}

TEST(Timerfd, MayComeBeforeTheOthersWork) {
  int outcomes[2] = {};
  run_seeds(500, [&] {
    const int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    const itimerspec hour = {{0, 0}, {3600, 0}};
    timerfd_settime(fd, 0, &hour, nullptr);
    bool done = false;
    std::thread other([&] {
      eventfd_write(eventfd(0, 0), 1);
      done = true;
    });
    uint64_t n;
    (void)!read(fd, &n, sizeof n);
    ++outcomes[done];
    other.join();
  });
  EXPECT_GT(outcomes[0], 0);
  EXPECT_GT(outcomes[1], 100);
}

}  // namespace
}  // namespace heddle::test
