// Annotations for order, for accesses to ignore, and by external libraries.
#include <gtest/gtest.h>

#include <thread>

#include "annotation_lab.h"

namespace heddle::test {
namespace {

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
        // No operation of another thread is between it and the previous operation of its thread.
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

TEST(Annotation, ExternalAccessesRace) {
  for (const bool both_read : {false, true}) {
    const Races r = races([=] {
      static char object[16];
      void* tag = __tsan_external_register_tag("queue");
      void* caller = reinterpret_cast<void*>(&nothing);
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
