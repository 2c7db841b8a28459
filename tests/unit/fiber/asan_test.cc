// ASan and LSan stay right on fibers. Empty without ASan.
#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)

#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>

#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "fiber/thread_exit.h"
#include "fiber_test.h"

namespace fiber_test {
namespace {

class Asan : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};
using AsanDeathTest = Asan;

__attribute__((noinline)) char* escape(char* p) {
  asm volatile("" : "+r"(p)::"memory");
  return p;
}

char* leaked_address;

__attribute__((noinline)) void publish_and_wait() {
  char local[64] = {};
  leaked_address = escape(local);
  fiber::switch_to(fiber::root());
  escape(local);
}

__attribute__((noinline)) void overflow_stack() {
  char local[32] = {};
  escape(local)[32] = 1;
}

TEST_F(AsanDeathTest, StackBufferOverflowIsReported) {
  EXPECT_DEATH(Runner([] { overflow_stack(); }).resume(), "stack-buffer-overflow");
}

void recurse_for_good(volatile char* caller) {
  volatile char frame[1000];
  frame[0] = caller[0];
  if (frame[0] == 0) recurse_for_good(frame);
  frame[1] = frame[0];
}

TEST_F(AsanDeathTest, StackOverflowIsReported) {
  EXPECT_DEATH(Runner([] {
                 volatile char first[1] = {};
                 recurse_for_good(first);
               }).resume(),
               "AddressSanitizer: stack-overflow");
}

TEST_F(AsanDeathTest, HeapUseAfterFreeIsReported) {
  EXPECT_DEATH(
      {
        Runner runner([] {
          char* p = escape(static_cast<char*>(malloc(10)));
          free(p);
          fiber::switch_to(fiber::root());
          escape(p)[3] = 1;
        });
        runner.resume();
        runner.resume();
      },
      "heap-use-after-free");
}

TEST_F(AsanDeathTest, UseAfterReturnOfAnAbandonedFrameIsReported) {
  EXPECT_DEATH(
      {
        {
          Runner runner([] { publish_and_wait(); });
          runner.resume();
        }
        leaked_address[3] = 1;
      },
      "stack-use-after-return");
}

__attribute__((noinline)) bool local_is_on_the_fake_stack() {
  char local[64];
  char* p = escape(local);
  return p < fiber::stack_low(fiber::current()) || p >= fiber::stack_high(fiber::current());
}

// A class of fake frames has at most 16,384 of them here: not retired, they run out.
TEST_F(Asan, AbandonedFakeFramesAreUsedAgain) {
  bool fake = false;
  fiber::initialise();
  for (int i = 0; i < 40000; ++i) {
    Fiber* f = fiber::acquire([](void*) { publish_and_wait(); }, nullptr);
    fiber::switch_to(f);
    fiber::release(f);
  }
  Runner runner([&] { fake = local_is_on_the_fake_stack(); });
  runner.resume();
  EXPECT_TRUE(fake);
}

// Frames with redzones on the real stack (alloca), then others at the same place.
__attribute__((noinline)) void poison_real_stack(size_t n) {
  char* p = escape(static_cast<char*>(__builtin_alloca(n)));
  p[0] = 1;
  fiber::switch_to(fiber::root());
  p[n - 1] = 1;
}

constexpr size_t kLooked = 32 * 1024;

TEST_F(Asan, NoPoisonStaysOnAbandonedStacks) {
  for (size_t n = 1; n < 3000; n = n * 3 + 1) {
    char* top = nullptr;
    {
      Runner runner([&] {
        top = static_cast<char*>(__builtin_frame_address(0));
        poison_real_stack(n);
      });
      runner.resume();
      EXPECT_NE(__asan_region_is_poisoned(top - kLooked, kLooked), nullptr);
    }
    EXPECT_EQ(__asan_region_is_poisoned(top - kLooked, kLooked), nullptr);
  }
}

// Called so that the compiler does not know it never returns, and does not clear the stack itself.
TEST_F(Asan, NoPoisonStaysAfterAForcedUnwind) {
  struct Deep {
    static void go(int depth, void (*unwind)()) {
      char* p = escape(static_cast<char*>(__builtin_alloca(40 + depth)));
      p[0] = 1;
      if (depth == 0) {
        unwind();
      } else {
        go(depth - 1, unwind);
      }
      p[1] = 1;
    }
  };
  void (*unwind)() = &fiber::unwind_current_to_base;
  asm volatile("" : "+r"(unwind));
  char* top = nullptr;
  Runner runner([&] {
    top = static_cast<char*>(__builtin_frame_address(0));
    Deep::go(20, unwind);
  });
  runner.resume();
  EXPECT_TRUE(fiber::finished(runner.fiber()));
  EXPECT_EQ(__asan_region_is_poisoned(top - kLooked, kLooked), nullptr);
}

// In its own process, because a leak check includes everything that earlier tests have left behind.
#define EXPECT_NO_LEAKS(...)                       \
  EXPECT_EXIT(                                     \
      {                                            \
        __VA_ARGS__;                               \
        _exit(__lsan_do_recoverable_leak_check()); \
      },                                           \
      testing::ExitedWithCode(0), "")

struct Node {
  std::unique_ptr<Node> next;
  char payload[100];
};

thread_local Node* only_in_thread_local;

__attribute__((noinline)) void hold_list() {
  Node first = {std::make_unique<Node>(), ""};
  first.next->next = std::make_unique<Node>();
  only_in_thread_local = new Node;
  pthread_key_t key;
  fiber::key_create(&key, nullptr);
  fiber::key_set(key, new Node);
  escape(first.payload);
  fiber::switch_to(fiber::root());
  escape(first.payload);
}

TEST_F(AsanDeathTest, WhatAbandonedFibersHoldIsNotLeaked) {
  EXPECT_NO_LEAKS({
    fiber::initialise();
    for (int i = 0; i < 30; ++i) {
      Fiber* f = fiber::acquire([](void*) { hold_list(); }, nullptr);
      fiber::switch_to(f);
      fiber::release(f);
      fiber::forget_keys();
    }
    // Other fibers write over the dropped stack.
    for (int i = 0; i < 3; ++i) {
      Fiber* f = fiber::acquire([](void*) { publish_and_wait(); }, nullptr);
      fiber::switch_to(f);
      fiber::release(f);
    }
  });
}

TEST_F(AsanDeathTest, WhatLiveFibersHoldIsNotLeaked) {
  EXPECT_NO_LEAKS({
    fiber::initialise();
    Fiber* f = fiber::acquire([](void*) { hold_list(); }, nullptr);
    fiber::switch_to(f);
    fiber::ignore_leaks_of_live_fibers();
  });
}

TEST_F(AsanDeathTest, ALeakOfAFinishedFiberIsReported) {
  EXPECT_EXIT(
      {
        fiber::initialise();
        for (int i = 0; i < 10; ++i) {
          Fiber* f = fiber::acquire([](void*) { escape(static_cast<char*>(malloc(77))); }, nullptr);
          fiber::switch_to(f);
          fiber::release(f);
        }
        _exit(__lsan_do_recoverable_leak_check() + 40);
      },
      testing::ExitedWithCode(41), "Direct leak of [0-9]+ byte");
}

}  // namespace
}  // namespace fiber_test

#endif
