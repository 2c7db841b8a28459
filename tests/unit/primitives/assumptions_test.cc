// What a schedule assumes of the machine: no wake-up without a cause, and time that passes when nothing else can run.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kSeeds = 300;

// How many of the runs, one a seed, give the answer true.
int how_many(uint8_t assumes, const std::function<bool()>& body, Schedule schedule = {}) {
  int n = 0;
  schedule.assumes = assumes;
  for (int seed = 0; seed < kSeeds; ++seed) {
    schedule.seed = static_cast<uint64_t>(seed);
    bool answer = false;
    const Result r = run(schedule, [&] { answer = body(); });
    EXPECT_TRUE(r.finished()) << seed;
    n += answer;
  }
  return n;
}

// A notification is on its way in all of these; whether the wait ended without it.
bool condition_wakes_early() {
  std::mutex m;
  std::condition_variable c;
  bool ready = false;
  std::thread t([&] {
    const std::lock_guard lock(m);
    ready = true;
    c.notify_one();
  });
  bool early = false;
  {
    std::unique_lock lock(m);
    if (!ready) {
      c.wait(lock);
      early = !ready;
    }
  }
  t.join();
  return early;
}

bool futex_wakes_early() {
  int word = 0;
  bool early = false;
  std::thread t([&] {
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  });
  if (syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0) == 0) early = __atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0;
  t.join();
  return early;
}

TEST(Assumptions, NoSpuriousWakes) {
  EXPECT_GT(how_many(0, condition_wakes_early), 0);
  EXPECT_EQ(how_many(kNoSpuriousWakes, condition_wakes_early), 0);
  EXPECT_GT(how_many(0, futex_wakes_early), 0);
  EXPECT_EQ(how_many(kNoSpuriousWakes, futex_wakes_early), 0);
}

TEST(Assumptions, APreferenceDoesNotMakeThem) {
  const Result first = run_seed(1, [] { condition_wakes_early(); });
  Schedule schedule;
  for (const Event& e : first.events) {
    if (e.kind == Kind::cond_wake) schedule.selects.push_back({kAnyThread, e.site, 0, 1, e.kind, {}});
  }
  for (uint64_t seed = 2; schedule.selects.empty(); ++seed) {
    for (const Event& e : run_seed(seed, [] { condition_wakes_early(); }).events) {
      if (e.kind == Kind::cond_wake) schedule.selects.push_back({kAnyThread, e.site, 0, 1, e.kind, {}});
    }
  }
  EXPECT_GT(how_many(0, condition_wakes_early, schedule), 20);
  EXPECT_EQ(how_many(kNoSpuriousWakes, condition_wakes_early, schedule), 0);
}

// Threads that work for a while before they notify, some asleep in between for much less than the limit.
struct Workers {
  std::mutex m;
  std::condition_variable c;
  sem_t done;
  bool ready = false;
  std::thread busy, sleeper;

  explicit Workers(int operations = 40, bool news = false) {
    sem_init(&done, 0, 0);
    sleeper = std::thread([] {
      for (int i = 0; i < 5; ++i) std::this_thread::sleep_for(10ms);
    });
    busy = std::thread([this, operations, news] {
      for (int i = 0; i < operations; ++i) {
        const std::lock_guard lock(m);
        if (i % 8 == 0) std::this_thread::yield();
        if (news) sem_post(&done);
      }
      const std::lock_guard lock(m);
      ready = true;
      c.notify_one();
      sem_post(&done);
    });
  }
  ~Workers() {
    busy.join();
    sleeper.join();
  }
};

bool condition_times_out(std::chrono::milliseconds limit) {
  Workers w;
  const auto end = Clock::now() + limit;
  std::unique_lock lock(w.m);
  while (!w.ready) {
    if (w.c.wait_until(lock, end) == std::cv_status::timeout) break;
  }
  const bool out = !w.ready;
  lock.unlock();
  return out;
}

bool semaphore_times_out() {
  Workers w;
  timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 1;
  return sem_timedwait(&w.done, &end) != 0;
}

bool mutex_times_out() {
  Workers w;
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  std::thread holder([&] {
    pthread_mutex_lock(&m);
    for (int i = 0; i < 20; ++i) {
      const std::lock_guard lock(w.m);
    }
    pthread_mutex_unlock(&m);
  });
  timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 1;
  const int result = pthread_mutex_timedlock(&m, &end);
  if (result == 0) pthread_mutex_unlock(&m);
  holder.join();
  return result != 0;
}

bool poll_times_out() {
  Workers w;
  int ends[2];
  if (pipe(ends) != 0) abort();
  std::thread writer([&] {
    for (int i = 0; i < 20; ++i) {
      const std::lock_guard lock(w.m);
    }
    if (write(ends[1], "x", 1) != 1) abort();
  });
  pollfd p = {ends[0], POLLIN, 0};
  const bool out = poll(&p, 1, 1000) == 0;
  writer.join();
  close(ends[0]);
  close(ends[1]);
  return out;
}

// Polls, and times out by the clock alone.
bool polling_times_out() {
  Workers w;
  const auto end = Clock::now() + 100ms;
  for (;;) {
    {
      const std::lock_guard lock(w.m);
      if (w.ready) return false;
    }
    if (Clock::now() >= end) return true;
    std::this_thread::yield();
  }
}

TEST(Assumptions, ALimitExpiresWhenNothingElseCanRun) {
  const std::function<bool()> waits[] = {[] { return condition_times_out(100ms); }, semaphore_times_out, mutex_times_out, poll_times_out};
  for (const auto& times_out : waits) {
    EXPECT_GT(how_many(0, times_out), 0) << &times_out - waits;
    EXPECT_EQ(how_many(kPatientTimeouts, times_out), 0) << &times_out - waits;
  }
  EXPECT_EQ(how_many(kPatientTimeouts, polling_times_out), 0);
}

// Another thread notifies after `before`.
bool notification_comes_too_late(const std::function<void()>& before, std::chrono::milliseconds limit) {
  std::mutex m;
  std::condition_variable c;
  bool ready = false;
  std::thread t([&] {
    before();
    const std::lock_guard lock(m);
    ready = true;
    c.notify_one();
  });
  bool out;
  {
    std::unique_lock lock(m);
    out = !c.wait_for(lock, limit, [&] { return ready; });
  }
  t.join();
  return out;
}

TEST(Assumptions, ALimitThatIsTooShortExpires) {
  const auto body = [] { return notification_comes_too_late([] { std::this_thread::sleep_for(50ms); }, 20ms); };
  EXPECT_EQ(how_many(kPatientTimeouts, body), kSeeds);
}

TEST(Assumptions, APreferenceDoesNotMakeALimitExpire) {
  const auto body = [] { return condition_times_out(100ms); };
  Schedule schedule;
  for (uint64_t seed = 1; schedule.selects.size() < 3; ++seed) {
    for (const Event& e : run_seed(seed, [&] { body(); }).events) {
      if (e.kind == Kind::cond_wake || e.kind == Kind::sleep) schedule.selects.push_back({kAnyThread, e.site, 0, 1, e.kind, {}});
    }
  }
  EXPECT_GT(how_many(0, body, schedule), 20);
  EXPECT_EQ(how_many(kPatientTimeouts, body, schedule), 0);
}

// The thread that would notify waits until its write would block, which never comes.
TEST(Assumptions, NorDoesAPreferredFailure) {
  const auto body = [] {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) abort();
    std::thread writer([&] {
      if (write(ends[1], "x", 1) != 1) abort();
    });
    pollfd p = {ends[0], POLLIN, 0};
    const bool out = poll(&p, 1, 1000) == 0;
    writer.join();
    close(ends[0]);
    close(ends[1]);
    return out;
  };
  Schedule schedule;
  const Result r = run_seed(1, [&] { body(); });
  const Event* const writes = r.event(Kind::descriptor_write, 1);
  ASSERT_NE(writes, nullptr);
  schedule.selects.push_back({kAnyThread, writes->site, 0, 1, Kind::descriptor_write, {}});
  EXPECT_EQ(how_many(0, body, schedule), kSeeds);
  EXPECT_EQ(how_many(kPatientTimeouts, body, schedule), 0);
}

// A poll that prefers a descriptor that is never ready, and whose own limit is longer.
TEST(Assumptions, NorDoesAPreferenceSkipALimit) {
  const auto polls_in_vain = [] {
    int ends[2];
    if (pipe(ends) != 0) abort();
    pollfd p = {ends[0], POLLIN, 0};
    if (poll(&p, 1, 500) != 0) abort();
  };
  const auto body = [&] { return notification_comes_too_late(polls_in_vain, 150ms); };
  Schedule schedule;
  const Result r = run_seed(1, [&] { body(); });
  const Event* const polls = r.event(Kind::descriptor_wait, 1);
  ASSERT_NE(polls, nullptr);
  schedule.selects.push_back({kAnyThread, polls->site, 0, 2, Kind::descriptor_wait, {}});
  EXPECT_EQ(how_many(kPatientTimeouts, body, schedule), kSeeds);
}

// What holds the notification back until the waiter's time has come is let go first.
TEST(Assumptions, NorDoesAChain) {
  const auto body = [] { return condition_times_out(100ms); };
  Schedule schedule;
  const Result r = run_seed(1, [&] { body(); });
  for (uint64_t seed = 1; schedule.elements.empty(); ++seed) {
    const Result some = run_seed(seed, [&] { body(); });
    const Event* const signal = some.event(Kind::cond_signal, 2);
    const Event* wake = nullptr;
    for (const Event& e : some.events) {
      if (e.kind == Kind::cond_wake && e.outcome == Outcome::timeout) wake = &e;
    }
    if (signal == nullptr || wake == nullptr) continue;
    schedule.elements.push_back({.site = wake->site, .kind = wake->kind});
    schedule.elements.push_back({.site = signal->site, .kind = signal->kind});
  }
  EXPECT_GT(how_many(0, body, schedule), kSeeds / 2);
  EXPECT_EQ(how_many(kPatientTimeouts, body, schedule), 0);
}

// For longer than a window (scheduler/windows.h).
TEST(Assumptions, NorDoesLongWorkOfOthers) {
  Schedule schedule;
  schedule.assumes = kPatientTimeouts;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    schedule.seed = seed;
    bool out = false;
    run(schedule, [&] {
      Workers w(30'000, true);
      std::unique_lock lock(w.m);
      out = !w.c.wait_for(lock, 10s, [&] { return w.ready; });
    });
    EXPECT_FALSE(out) << seed;
  }
}

// A test of some seconds, as many are: others work until the time is over.
TEST(Assumptions, WhoWorksForEverDoesNotStopTheClock) {
  Schedule schedule;
  schedule.assumes = kPatientTimeouts;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    for (const bool by_limit : {false, true}) {
      schedule.seed = seed;
      const Result r = run(schedule, [by_limit] {
        bool stop = false;
        std::mutex m, counts;
        sem_t count;
        sem_init(&count, 0, 0);
        std::condition_variable c;
        std::thread t([&] {
          for (bool over = false; !over;) {
            sem_post(&count);
            const std::lock_guard lock(counts);
            over = stop;
          }
        });
        if (by_limit) {
          std::unique_lock lock(m);
          c.wait_for(lock, 3s, [] { return false; });
        } else {
          std::this_thread::sleep_for(3s);
        }
        {
          const std::lock_guard lock(counts);
          stop = true;
        }
        t.join();
      });
      EXPECT_TRUE(r.finished()) << seed << by_limit;
    }
  }
}

}  // namespace
}  // namespace heddle::test
