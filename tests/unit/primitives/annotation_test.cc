// What a program tells of its own synchronisation. The accesses are announced by hand, as the compiler would.
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sanitizer/tsan_interface.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "controlled_run.h"
#include "memory/race_detector.h"

extern "C" {
void __tsan_read4(void*);
void __tsan_write4(void*);
int __tsan_atomic32_exchange(volatile int*, int, int);
int __tsan_atomic32_load(const volatile int*, int);
int __tsan_atomic32_compare_exchange_val(volatile int*, int, int, int, int);
void __tsan_atomic32_store(volatile int*, int, int);
void __tsan_ignore_thread_begin();
void __tsan_ignore_thread_end();
void __tsan_testonly_barrier_init(unsigned long*, unsigned);
void __tsan_testonly_barrier_wait(unsigned long*);
void AnnotateHappensBefore(const char*, int, uintptr_t);
void AnnotateHappensAfter(const char*, int, uintptr_t);
void AnnotateBenignRaceSized(const char*, int, uintptr_t, uintptr_t, const char*);
void AnnotateNewMemory(const char*, int, uintptr_t, uintptr_t);
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
void AnnotateIgnoreSyncBegin(const char*, int);
void AnnotateIgnoreSyncEnd(const char*, int);
void AnnotateRWLockCreate(const char*, int, uintptr_t);
void AnnotateRWLockAcquired(const char*, int, uintptr_t, uintptr_t);
void AnnotateRWLockReleased(const char*, int, uintptr_t, uintptr_t);
}
#define HERE __FILE__, __LINE__

namespace heddle::test {
namespace {

using rt::FindingType;

uintptr_t number(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// Races reported, and pairs published, in runs with several seeds.
struct Races {
  int reported = 0, published = 0, unfinished = 0;
  std::map<FindingType, int> findings;
};
int g_reported;

Races races(const std::function<void()>& body, int seeds = 50) {
  Races all;
  rt::set_race_sink([](const rt::RaceReport&) { ++g_reported; });
  for (int seed = 1; seed <= seeds; ++seed) {
    g_reported = 0;
    const Result r = run_seed(seed, body);
    uint32_t pairs = 0;
    rt::race_detector_pairs(pairs);
    all.reported += g_reported != 0;
    all.published += pairs != 0;
    all.unfinished += !r.finished();
    for (const FindingType f : r.findings) ++all.findings[f];
  }
  rt::set_race_sink(nullptr);
  return all;
}

// A relaxed flag: the hand-over works, and orders nothing.
struct Relaxed {
  int flag = 0;
  int data = 0;

  void give() { __tsan_atomic32_store(&flag, 1, __ATOMIC_RELAXED); }
  bool given() { return __tsan_atomic32_load(&flag, __ATOMIC_RELAXED) != 0; }
};

template <typename Before, typename After>
Races handed_over(Before before, After after) {
  return races([=] {
    Relaxed r;
    std::thread producer([&] {
      __tsan_write4(&r.data);
      before(&r.flag);
      r.give();
    });
    if (r.given()) {
      after(&r.flag);
      __tsan_write4(&r.data);
    }
    producer.join();
  });
}

void nothing(void*) {}

TEST(Annotation, OrdersWhatNothingElseOrders) {
  EXPECT_GT(handed_over(nothing, nothing).reported, 0);
  EXPECT_GT(handed_over(&__tsan_release, nothing).reported, 0);
  EXPECT_EQ(handed_over(&__tsan_release, &__tsan_acquire).published, 0);
  EXPECT_GT(handed_over(&__tsan_acquire, &__tsan_release).reported, 0);
  EXPECT_EQ(handed_over([](void* p) { AnnotateHappensBefore(HERE, number(p)); },
                        [](void* p) { AnnotateHappensAfter(HERE, number(p)); }).published, 0);
}

TEST(Annotation, IsAnEventThatOrdersAndNoChoice) {
  const auto body = [](bool annotated) {
    return [annotated] {
      int x = 0;
      std::thread t([&] {
        if (annotated) __tsan_release(&x);
        __tsan_atomic32_store(&x, 1, __ATOMIC_RELAXED);
      });
      __tsan_atomic32_load(&x, __ATOMIC_RELAXED);
      if (annotated) __tsan_acquire(&x);
      t.join();
    };
  };
  int loads_first[2] = {};
  for (const bool annotated : {false, true}) {
    for (int seed = 1; seed <= 200; ++seed) {
      const Result r = run_seed(seed, body(annotated));
      ASSERT_EQ(r.count(Kind::order_release), annotated);
      ASSERT_EQ(r.count(Kind::order_acquire), annotated);
      loads_first[annotated] += r.event(Kind::atomic_load, 0) < r.event(Kind::atomic_store, 1);
      if (annotated) {
        const Event* release = r.event(Kind::order_release, 1);
        // Nobody else's operation comes between it and what its thread did before.
        ASSERT_EQ(release[-1].thread, 1u);
        ASSERT_NE(release->object, 0u);
        ASSERT_EQ(release->object, r.event(Kind::order_acquire, 0)->object);
        ASSERT_NE(release->object, r.event(Kind::atomic_store, 1)->object);
      }
    }
  }
  EXPECT_GT(loads_first[1], 20);
  EXPECT_LT(loads_first[1], 180);
}

// A spin lock of relaxed atomics: it excludes, and only its annotations order.
struct SpinLock {
  int word = 0;
  unsigned flags = 0;
  bool annotated = true;

  void lock() {
    if (annotated) __tsan_mutex_pre_lock(this, flags);
    while (__tsan_atomic32_exchange(&word, 1, __ATOMIC_RELAXED) != 0) {}
    if (annotated) __tsan_mutex_post_lock(this, flags, 0);
  }
  bool try_lock() {
    __tsan_mutex_pre_lock(this, flags | __tsan_mutex_try_lock);
    const bool taken = __tsan_atomic32_exchange(&word, 1, __ATOMIC_RELAXED) == 0;
    __tsan_mutex_post_lock(this, flags | __tsan_mutex_try_lock | (taken ? 0 : __tsan_mutex_try_lock_failed), 0);
    return taken;
  }
  void unlock() {
    if (annotated) __tsan_mutex_pre_unlock(this, 0);
    __tsan_atomic32_store(&word, 0, __ATOMIC_RELAXED);
    if (annotated) __tsan_mutex_post_unlock(this, 0);
  }
};

Races two_sections(bool annotated, bool tries) {
  return races([=] {
    SpinLock lock;
    lock.annotated = annotated;
    int data = 0;
    const auto section = [&] {
      if (tries && !lock.try_lock()) return;
      if (!tries) lock.lock();
      __tsan_read4(&data);
      __tsan_write4(&data);
      lock.unlock();
    };
    std::thread other(section);
    section();
    other.join();
  });
}

TEST(Annotation, ALockOrdersItsSections) {
  EXPECT_GT(two_sections(false, false).reported, 0);
  for (const bool tries : {false, true}) {
    const Races r = two_sections(true, tries);
    EXPECT_EQ(r.published, 0);
    EXPECT_EQ(r.unfinished, 0);
    EXPECT_TRUE(r.findings.empty());
  }
}

TEST(Annotation, ALocksOwnAccessesAreLeftOut) {
  for (const bool annotated : {false, true}) {
    for (const bool diverts : {false, true}) {
      const Races r = races([=] {
        SpinLock lock;
        int inside = 0;
        const auto use = [&] {
          if (annotated) __tsan_mutex_pre_lock(&lock, 0);
          if (annotated && diverts) __tsan_mutex_pre_divert(&lock, 0);
          __tsan_write4(&inside);
          if (annotated && diverts) __tsan_mutex_post_divert(&lock, 0);
          while (__tsan_atomic32_exchange(&lock.word, 1, __ATOMIC_RELAXED) != 0) {}
          if (annotated) __tsan_mutex_post_lock(&lock, 0, 0);
          lock.unlock();
        };
        std::thread other(use);
        use();
        other.join();
      });
      EXPECT_EQ(r.reported != 0, !annotated || diverts) << annotated << diverts;
    }
  }
}

TEST(Annotation, WhatALockDoesInsideOrdersNothing) {
  // The lock's inside is sequentially consistent; of the annotations the release is missing.
  const Races r = races([] {
    int word = 0, data = 0;
    std::thread other([&] {
      __tsan_write4(&data);
      __tsan_mutex_pre_signal(&word, 0);
      __tsan_atomic32_store(&word, 1, __ATOMIC_SEQ_CST);
      __tsan_mutex_post_signal(&word, 0);
    });
    if (__tsan_atomic32_load(&word, __ATOMIC_SEQ_CST) != 0) __tsan_write4(&data);
    other.join();
  });
  EXPECT_GT(r.reported, 0);
}

TEST(Annotation, ReadersOrderWritersOnly) {
  for (const bool first_writes : {false, true}) {
    for (const bool second_writes : {false, true}) {
      const Races r = races([=] {
        Relaxed flag;
        int data = 0;
        const auto section = [&](bool write) {
          const unsigned flags = write ? 0 : __tsan_mutex_read_lock;
          __tsan_mutex_pre_lock(&data, flags);
          __tsan_mutex_post_lock(&data, flags, 0);
          __tsan_write4(&flag.data);
          __tsan_mutex_pre_unlock(&data, flags);
          __tsan_mutex_post_unlock(&data, flags);
        };
        std::thread other([&] {
          section(first_writes);
          flag.give();
        });
        if (flag.given()) section(second_writes);
        other.join();
      });
      EXPECT_EQ(r.reported != 0, !first_writes && !second_writes) << first_writes << second_writes;
    }
  }
}

TEST(Annotation, RecursionIsOneHold) {
  const Races r = races([] {
    SpinLock lock;
    lock.flags = __tsan_mutex_write_reentrant;
    const auto again = [&] {
      __tsan_mutex_pre_lock(&lock, lock.flags);
      __tsan_mutex_post_lock(&lock, lock.flags, 0);
    };
    lock.lock();
    again();
    again();
    const int levels = __tsan_mutex_pre_unlock(&lock, __tsan_mutex_recursive_unlock);
    __tsan_atomic32_store(&lock.word, 0, __ATOMIC_RELAXED);
    __tsan_mutex_post_unlock(&lock, 0);
    if (levels != 3) rt::engine().misuse(FindingType::crash, nullptr, {1, 1});
    __tsan_mutex_pre_lock(&lock, lock.flags | __tsan_mutex_recursive_lock);
    __tsan_mutex_post_lock(&lock, lock.flags | __tsan_mutex_recursive_lock, levels);
    lock.unlock();
    lock.unlock();
    lock.unlock();
  }, 3);
  EXPECT_TRUE(r.findings.empty());
}

int misuses(FindingType type, const std::function<void()>& body) {
  Races r = races(body, 3);
  EXPECT_LE(r.findings.size(), 1u);
  return r.findings[type];
}

TEST(Annotation, MisuseIsFound) {
  EXPECT_EQ(misuses(FindingType::unlock_not_locked, [] {
    SpinLock lock;
    lock.lock();
    lock.unlock();
    lock.unlock();
  }), 3);
  EXPECT_EQ(misuses(FindingType::unlock_not_owner, [] {
    SpinLock lock;
    lock.lock();
    std::thread([&] { lock.unlock(); }).join();
  }), 3);
  EXPECT_EQ(misuses(FindingType::destroy_held, [] {
    SpinLock lock;
    __tsan_mutex_create(&lock, __tsan_mutex_not_static);
    lock.lock();
    __tsan_mutex_destroy(&lock, __tsan_mutex_not_static);
  }), 3);
  EXPECT_EQ(misuses(FindingType::destroy_held, [] {
    SpinLock lock;
    __tsan_mutex_create(&lock, __tsan_mutex_linker_init);
    lock.lock();
    __tsan_mutex_destroy(&lock, 0);
  }), 0);
  EXPECT_EQ(misuses(FindingType::double_lock, [] {
    SpinLock lock;
    lock.lock();
    __tsan_mutex_pre_lock(&lock, 0);
    __tsan_mutex_post_lock(&lock, 0, 0);
  }), 3);
  // Taken before the execution began, perhaps.
  EXPECT_EQ(misuses(FindingType::unlock_not_locked, [] {
    SpinLock lock;
    lock.unlock();
  }), 0);
}

TEST(Annotation, DestroyingIsAWrite) {
  const Races r = races([] {
    static SpinLock lock;
    __tsan_mutex_create(&lock, __tsan_mutex_not_static);
    int* first = &lock.word;
    std::thread other([&] { __tsan_read4(first); });
    __tsan_mutex_destroy(&lock, __tsan_mutex_not_static);
    other.join();
  });
  EXPECT_GT(r.reported, 0);
}

// A lock that sleeps in the kernel.
struct FutexLock {
  int word = 0;

  void lock(bool annotated) {
    if (annotated) __tsan_mutex_pre_lock(this, 0);
    while (__tsan_atomic32_compare_exchange_val(&word, 0, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) != 0) {
      syscall(SYS_futex, &word, FUTEX_WAIT, 1, nullptr);
    }
    if (annotated) __tsan_mutex_post_lock(this, 0, 0);
  }
  void unlock(bool annotated) {
    if (annotated) __tsan_mutex_pre_unlock(this, 0);
    __tsan_atomic32_store(&word, 0, __ATOMIC_RELEASE);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    if (annotated) __tsan_mutex_post_unlock(this, 0);
  }
};

TEST(Annotation, WhoSleepsInALockWaitsForItsHolder) {
  for (const bool annotated : {false, true}) {
    int stuck = 0;
    for (int seed = 1; seed <= 100; ++seed) {
      static FutexLock a, b;
      a.word = b.word = 0;
      const Result r = run_seed(seed, [=] {
        std::thread other([=] {
          b.lock(annotated);
          a.lock(annotated);
          a.unlock(annotated);
          b.unlock(annotated);
        });
        a.lock(annotated);
        b.lock(annotated);
        b.unlock(annotated);
        a.unlock(annotated);
        other.join();
      });
      if (!r.stuck()) continue;
      ++stuck;
      for (const uint32_t thread : {0u, 1u}) {
        const auto waits = std::find_if(r.events.rbegin(), r.events.rend(), [&](const Event& e) { return e.thread == thread; });
        ASSERT_FALSE(waits->finished());
        if (!annotated) {
          EXPECT_NE(waits->kind, Kind::annotated_lock);
          continue;
        }
        EXPECT_EQ(waits->kind, Kind::annotated_lock);
        EXPECT_EQ(waits->object, r.event(Kind::annotated_lock, 1 - thread)->object);
        EXPECT_EQ(waits->object, r.threads[thread].blocked_on);
      }
    }
    EXPECT_GT(stuck, 0);
  }
}

TEST(Annotation, BenignRacesAreNoFindings) {
  static int counter, other;
  const auto body = [](bool annotated) {
    return [annotated] {
      if (annotated) AnnotateBenignRaceSized(HERE, number(&counter), sizeof counter, "");
      const auto touch = [](int* p) { __tsan_write4(p); };
      std::thread t([&] { touch(&counter); });
      touch(&counter);
      t.join();
    };
  };
  EXPECT_GT(races(body(false)).reported, 0);
  EXPECT_EQ(races(body(true)).reported, 0);
  EXPECT_GT(races(body(true)).published, 0);  // the search still knows where it is
  // For one execution; and the same code on other memory is another matter.
  EXPECT_GT(races(body(false)).reported, 0);
  EXPECT_GT(races([] {
    AnnotateBenignRaceSized(HERE, number(&counter), sizeof counter, "");
    const auto touch = [] {
      for (int* p : {&counter, &other}) __tsan_write4(p);
    };
    std::thread t(touch);
    touch();
    t.join();
  }).reported, 0);
  // Declared outside, for all of them. The last of the cases: nothing takes it back.
  AnnotateBenignRaceSized(HERE, number(&counter), sizeof counter, "");
  EXPECT_EQ(races(body(false)).reported, 0);
}

TEST(Annotation, BenignUntilTheMemoryChangesHands) {
  for (const bool anew : {false, true}) {
    static int word;
    const Races r = races([=] {
      AnnotateBenignRaceSized(HERE, number(&word), sizeof word, "");
      if (anew) AnnotateNewMemory(HERE, number(&word), sizeof word);
      std::thread t([] { __tsan_write4(&word); });
      __tsan_write4(&word);
      t.join();
    });
    EXPECT_EQ(r.reported != 0, anew);
  }
}

struct IgnoreCase {
  void (*begin)(const char*, int);
  void (*end)(const char*, int);
  bool reads, writes;
};
const IgnoreCase kIgnoreCases[] = {
    {&AnnotateIgnoreReadsBegin, &AnnotateIgnoreReadsEnd, true, false},
    {&AnnotateIgnoreWritesBegin, &AnnotateIgnoreWritesEnd, false, true},
    {[](const char*, int) { __tsan_ignore_thread_begin(); }, [](const char*, int) { __tsan_ignore_thread_end(); }, true, true},
    {&AnnotateIgnoreSyncBegin, &AnnotateIgnoreSyncEnd, false, false},
};

TEST(Annotation, AccessesAreIgnoredByDirection) {
  for (const IgnoreCase& c : kIgnoreCases) {
    for (const bool write : {false, true}) {
      for (const bool over : {false, true}) {
        const Races r = races([&] {
          int data = 0;
          std::thread t([&] { __tsan_write4(&data); });
          c.begin(HERE);
          c.begin(HERE);
          c.end(HERE);
          if (over) c.end(HERE);
          if (over) c.end(HERE);  // one too many
          write ? __tsan_write4(&data) : __tsan_read4(&data);
          t.join();
        }, 10);
        EXPECT_EQ(r.published != 0, over || !(write ? c.writes : c.reads)) << &c - kIgnoreCases << write << over;
      }
    }
  }
}

TEST(Annotation, IgnoredSynchronisationOrdersNothing) {
  for (const bool ignored : {false, true}) {
    const Races r = races([=] {
      int flag = 0, data = 0;
      std::thread t([&] {
        __tsan_write4(&data);
        if (ignored) AnnotateIgnoreSyncBegin(HERE);
        __tsan_atomic32_store(&flag, 1, __ATOMIC_SEQ_CST);
        if (ignored) AnnotateIgnoreSyncEnd(HERE);
      });
      if (__tsan_atomic32_load(&flag, __ATOMIC_SEQ_CST) != 0) __tsan_write4(&data);
      t.join();
    });
    EXPECT_EQ(r.published != 0, ignored);
  }
}

TEST(Annotation, LocksOfTheOlderFamily) {
  for (const bool write : {false, true}) {
    const Races r = races([=] {
      int lock = 0, data = 0;
      AnnotateRWLockCreate(HERE, number(&lock));
      const auto section = [&] {
        while (__tsan_atomic32_exchange(&lock, 1, __ATOMIC_RELAXED) != 0) {}
        AnnotateRWLockAcquired(HERE, number(&lock), write);
        __tsan_write4(&data);
        AnnotateRWLockReleased(HERE, number(&lock), write);
        __tsan_atomic32_store(&lock, 0, __ATOMIC_RELAXED);
      };
      std::thread t(section);
      section();
      t.join();
    });
    EXPECT_EQ(r.published != 0, !write);
    EXPECT_TRUE(r.findings.empty());
  }
}

TEST(Annotation, ExternalAccessesRace) {
  for (const bool both_read : {false, true}) {
    const Races r = races([=] {
      static char object[16];
      void* tag = __tsan_external_register_tag("queue");
      void* caller = reinterpret_cast<void*>(&two_sections);
      std::thread t([&] { __tsan_external_read(object, caller, tag); });
      both_read ? __tsan_external_read(object, caller, tag) : __tsan_external_write(object, caller, tag);
      t.join();
    }, 10);
    EXPECT_EQ(r.reported != 0, !both_read);
  }
}

TEST(Annotation, FibersAndReportsAreNothing) {
  EXPECT_NE(__tsan_get_current_fiber(), nullptr);
  EXPECT_NE(__tsan_create_fiber(0), nullptr);
  EXPECT_NE(__tsan_external_register_tag("a"), __tsan_external_register_tag("b"));
}

TEST(Annotation, TheTestBarrierWaitsAndOrdersNothing) {
  bool early = false;
  const Races r = races([&] {
    unsigned long barrier;
    int arrived = 0, data = 0;
    __tsan_testonly_barrier_init(&barrier, 2);
    const auto both = [&] {
      for (int round = 1; round <= 2; ++round) {
        ++arrived;
        __tsan_testonly_barrier_wait(&barrier);
        early = early || arrived < 2 * round;
      }
    };
    std::thread t([&] {
      __tsan_write4(&data);
      both();
    });
    both();
    __tsan_write4(&data);
    t.join();
  });
  EXPECT_EQ(r.unfinished, 0);
  EXPECT_FALSE(early);
  EXPECT_GT(r.reported, 0);
}

}  // namespace
}  // namespace heddle::test
