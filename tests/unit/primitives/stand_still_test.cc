// Ends of runs in which some threads never stop (engine/stand_still.h). A service posts a semaphore in each round, so that it always does something new.
#include <gtest/gtest.h>
#include <semaphore.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kSeeds = 8;
constexpr size_t kSoon = 200'000;  // events; the limit of a run is 1,000,000 operations

// Rounds of a service, until `last`. It is never joined.
void serve(sem_t* beats, int last = 1 << 30) {
  for (int i = 0; i < last; ++i) {
    sem_post(beats);
    std::this_thread::sleep_for(10ms);
  }
}

void expect_stuck(const Result& r, uint64_t seed) {
  EXPECT_TRUE(r.stuck()) << seed;
  EXPECT_LT(r.events.size(), kSoon) << seed;
}

TEST(StandStill, WhoWaitsInACycleIsStuckBesideAService) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t beats, both;
      static std::mutex first, second;
      sem_init(&beats, 0, 0), sem_init(&both, 0, 0);
      std::thread([] { serve(&beats); }).detach();
      std::thread([] {
        second.lock();
        sem_post(&both);
        first.lock();
      }).detach();
      first.lock();
      sem_wait(&both);
      second.lock();
    });
    expect_stuck(r, seed);
  }
}

// No thread sleeps here, and the cycle goes through a join.
TEST(StandStill, AlsoBesideAThreadThatIsBusy) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t beats;
      static std::mutex lock;
      sem_init(&beats, 0, 0);
      std::thread([] {
        for (;;) sem_post(&beats);
      }).detach();
      lock.lock();
      std::thread waiter([] { lock.lock(), lock.unlock(); });
      waiter.join();
    });
    expect_stuck(r, seed);
  }
}

TEST(StandStill, WhoWaitsWithALimitOpensTheCycle) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t beats, both;
      static std::timed_mutex first, second;
      sem_init(&beats, 0, 0), sem_init(&both, 0, 0);
      std::thread service([] { serve(&beats, 2000); });
      std::thread other([] {
        second.lock();
        sem_post(&both);
        if (first.try_lock_for(15s)) first.unlock();
        second.unlock();
      });
      first.lock();
      sem_wait(&both);
      second.lock();
      second.unlock();
      first.unlock();
      other.join();
      service.join();
    });
    EXPECT_TRUE(r.finished()) << seed;
  }
}

TEST(StandStill, MainThatNobodyWakesIsStuckBesideAService) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t beats, never;
      sem_init(&beats, 0, 0), sem_init(&never, 0, 0);
      std::thread([] { serve(&beats); }).detach();
      std::thread waiter([] { sem_wait(&never); });
      waiter.join();
    });
    expect_stuck(r, seed);
  }
}

TEST(StandStill, AServiceMayWakeMainAfterThousandsOfRounds) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t beats, enough;
      sem_init(&beats, 0, 0), sem_init(&enough, 0, 0);
      std::thread service([] {
        serve(&beats, 4000);
        sem_post(&enough);
      });
      sem_wait(&enough);
      service.join();
    });
    EXPECT_TRUE(r.finished()) << seed;
  }
}

// It has posted the semaphore once, so it may do so again.
TEST(StandStill, MainThatAServiceCouldWakeIsNotJudged) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t beats, turns;
      sem_init(&beats, 0, 0), sem_init(&turns, 0, 0);
      std::thread([] {
        sem_post(&turns);
        serve(&beats);
      }).detach();
      sem_wait(&turns);
      sem_wait(&turns);
    });
    EXPECT_EQ(r.end, rt::EndReason::step_bound) << seed;
    EXPECT_LT(r.events.size(), kSoon) << seed;
  }
}

// Its polls always give the same answer. They are no news for it, however much a service does.
TEST(StandStill, MainThatPollsInVainIsALivelock) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t beats, never;
      sem_init(&beats, 0, 0), sem_init(&never, 0, 0);
      std::thread([] { serve(&beats); }).detach();
      while (sem_trywait(&never) != 0) std::this_thread::sleep_for(10ms);
    });
    EXPECT_EQ(r.end, rt::EndReason::livelock) << seed;
    EXPECT_LT(r.events.size(), kSoon) << seed;
  }
}

TEST(StandStill, MainThatIsAServiceItselfIsCutSoon) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Result r = run_seed(seed, [] {
      static sem_t beats;
      sem_init(&beats, 0, 0);
      serve(&beats);
    });
    EXPECT_EQ(r.end, rt::EndReason::step_bound) << seed;
    EXPECT_LT(r.events.size(), kSoon) << seed;
  }
}

}  // namespace
}  // namespace heddle::test
