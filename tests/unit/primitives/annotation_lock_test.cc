// Annotations for a program's own locks.
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <tuple>

#include "annotation_lab.h"

namespace heddle::test {
namespace {

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

// A lock that sleeps in the kernel. On its way it may take one of another kind, for its own list of waiters, say.
struct FutexLock {
  int word = 0;
  SpinLock* inner = nullptr;

  void lock(bool annotated) {
    if (annotated) __tsan_mutex_pre_lock(this, 0);
    if (inner != nullptr) {
      __tsan_mutex_pre_divert(this, 0);
      inner->lock();
      inner->unlock();
      __tsan_mutex_post_divert(this, 0);
    }
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
  static SpinLock list;
  const std::tuple<bool, SpinLock*> variants[] = {{false, nullptr}, {true, nullptr}, {true, &list}};
  for (const auto& [annotated, inner] : variants) {
    int stuck = 0;
    for (int seed = 1; seed <= 100; ++seed) {
      static FutexLock a, b;
      list.word = a.word = b.word = 0;
      a.inner = b.inner = inner;
      const Result r = run_seed(seed, [annotated = annotated] {
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
        const auto holds = std::find_if(r.events.begin(), r.events.end(), [&](const Event& e) {
          return e.thread == 1 - thread && e.kind == Kind::annotated_lock && e.object == waits->object;
        });
        EXPECT_NE(holds, r.events.end());
        EXPECT_EQ(waits->object, r.threads[thread].blocked_on);
      }
    }
    EXPECT_GT(stuck, 0);
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

}  // namespace
}  // namespace heddle::test
