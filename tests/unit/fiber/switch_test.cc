// Switching: control, registers, floating-point control, stacks, identity.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cfenv>
#include <chrono>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "fiber/context.h"
#include "fiber_test.h"

namespace fiber_test {
namespace {

TEST(Switch, PingPong) {
  struct Game {
    Fiber* other = nullptr;
    int rallies = 0;
  } game;
  Runner ping([&] {
    for (int i = 0; i < 1000; ++i) {
      ++game.rallies;
      fiber::switch_to(game.other);
    }
  });
  Runner pong([&] {
    while (true) {
      ++game.rallies;
      fiber::switch_to(ping.fiber());
    }
  });
  game.other = pong.fiber();
  ping.resume();
  EXPECT_EQ(game.rallies, 2000);
  EXPECT_TRUE(fiber::finished(ping.fiber()));
  EXPECT_FALSE(fiber::finished(pong.fiber()));
  EXPECT_EQ(fiber::current(), fiber::root());
}

TEST(Switch, CalleeSavedRegistersSurvive) {
#if defined(__x86_64__)
  // The other fiber fills every callee-saved register with its own pattern before it switches.
  Runner other([] {
    while (true) {
      asm volatile(
          "mov $-1, %%rbx\n\tmov $-1, %%r12\n\tmov $-1, %%r13\n\tmov $-1, %%r14\n\tmov $-1, "
          "%%r15" ::
              : "rbx", "r12", "r13", "r14", "r15");
      fiber::switch_to(fiber::root());
    }
  });
  other.resume();
  uint64_t out[5];
  void* to = other.fiber();
  void (*go)(Fiber*) = &fiber::switch_to;
  asm volatile(
      "mov $11, %%rbx\n\tmov $12, %%r12\n\tmov $13, %%r13\n\tmov $14, %%r14\n\tmov $15, %%r15\n\t"
      "push %%rbp\n\tmov %%rsp, %%rbp\n\tsub $256, %%rsp\n\tand $-16, %%rsp\n\t"
      "push %[out]\n\tpush %[out]\n\t"
      "mov %[to], %%rdi\n\tcall *%[go]\n\t"
      "pop %%rax\n\tpop %%rcx\n\tmov %%rbp, %%rsp\n\tpop %%rbp\n\t"
      "mov %%rbx, 0(%%rax)\n\tmov %%r12, 8(%%rax)\n\tmov %%r13, 16(%%rax)\n\t"
      "mov %%r14, 24(%%rax)\n\tmov %%r15, 32(%%rax)"
      :
      : [out] "a"(out), [to] "D"(to), [go] "d"(go)
      : "rbx", "r12", "r13", "r14", "r15", "rcx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc",
        "xmm0", "xmm1", "xmm2", "xmm3");
  for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(out[i], 11 + i);
#else
  GTEST_SKIP() << "written for x86-64";
#endif
}

TEST(Switch, FloatingPointControlIsPerFiberAndInherited) {
  std::fesetround(FE_UPWARD);
  int inherited = -1, own = -1;
  Runner runner([&] {
    inherited = std::fegetround();
    std::fesetround(FE_DOWNWARD);
    fiber::switch_to(fiber::root());
    own = std::fegetround();
  });
  runner.resume();
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  runner.resume();
  EXPECT_EQ(inherited, FE_UPWARD);
  EXPECT_EQ(own, FE_DOWNWARD);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? frame[0] : recurse(depth - 1) + (frame[0] == 1);
}

TEST(Switch, FourMebibytesOfRecursion) {
  int result = -1;
  Runner runner([&] { result = recurse(1000); });
  runner.resume();
  EXPECT_TRUE(fiber::finished(runner.fiber()));
  EXPECT_GE(result, 1);
}

TEST(Switch, PthreadSelfIsTheHandle) {
  pthread_t self = {};
  const void* local = nullptr;
  Runner runner([&] {
    self = pthread_self();
    local = __builtin_frame_address(0);
  });
  runner.resume();
  EXPECT_TRUE(pthread_equal(self, fiber::handle(runner.fiber())));
  EXPECT_FALSE(pthread_equal(self, pthread_self()));
  EXPECT_GT(local, fiber::stack_low(runner.fiber()));
  EXPECT_LT(local, fiber::stack_high(runner.fiber()));
}

TEST(Switch, ErrnoIsPerFiberAndStartsAtZero) {
  int first = -1, kept = -1;
  auto body = [&] {
    first = errno;
    errno = 7;
    fiber::switch_to(fiber::root());
    kept = errno;
  };
  for (int round = 0; round < 2; ++round) {
    Runner runner(body);
    errno = 3;
    runner.resume();
    EXPECT_EQ(errno, 3);
    errno = 4;
    runner.resume();
    EXPECT_EQ(first, 0);
    EXPECT_EQ(kept, 7);
  }
}

#if defined(__x86_64__)
TEST(Switch, SseControlIsPerFiberAndInherited) {
  constexpr unsigned kUpward = 0x4000, kDownward = 0x2000, kRounding = 0x6000;
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | kUpward);
  unsigned inherited = 0, own = 0;
  Runner runner([&] {
    inherited = __builtin_ia32_stmxcsr() & kRounding;
    __builtin_ia32_ldmxcsr(before | kDownward);
    fiber::switch_to(fiber::root());
    own = __builtin_ia32_stmxcsr() & kRounding;
  });
  runner.resume();
  EXPECT_EQ(__builtin_ia32_stmxcsr() & kRounding, kUpward);
  __builtin_ia32_ldmxcsr(before);
  runner.resume();
  EXPECT_EQ(inherited, kUpward);
  EXPECT_EQ(own, kDownward);
  EXPECT_EQ(__builtin_ia32_stmxcsr() & kRounding, before & kRounding);
}
#endif

// The reason for fibers: a hand-off between real threads costs about 80 times as much.
class Baton {
 public:
  void pass(int to) {
    turn_.store(to);
    syscall(SYS_futex, &turn_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
  void await(int self) {
    for (int seen; (seen = turn_.load()) != self;) {
      syscall(SYS_futex, &turn_, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
    }
  }

 private:
  std::atomic<int> turn_ = 0;
};

TEST(Switch, IsFarCheaperThanAFutexHandOff) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 2000, kTries = 5;
  fiber::initialise();
#if defined(__x86_64__)
  std::optional<TrapOn> trap = heddle_fiber_use_wrfsbase == 0 ? std::optional<TrapOn>(std::in_place) : std::nullopt;
#endif
  Runner runner([] {
    for (int i = 0; i < kTries * kRounds; ++i) fiber::switch_to(fiber::root());
  });
  // The shortest of several: on a busy machine another process may run in between.
  auto fibers = Clock::duration::max();
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const auto fibers_begin = Clock::now();
    for (int i = 0; i < kRounds; ++i) runner.resume();
    fibers = std::min(fibers, Clock::now() - fibers_begin);
  }
#if defined(__x86_64__)
  trap.reset();  // the C library blocks all signals while it makes a thread
#endif
  Baton baton;
  std::thread other([&] {
    for (int i = 0; i < kRounds; ++i) {
      baton.await(1);
      baton.pass(0);
    }
  });
  const auto threads_begin = Clock::now();
  for (int i = 0; i < kRounds; ++i) {
    baton.pass(1);
    baton.await(0);
  }
  const auto threads = Clock::now() - threads_begin;
  other.join();
  EXPECT_GT(threads / fibers, 5);
}

// What the CPU or kernel lacks on other machines: the thread pointer by system call.
TEST(Switch, WorksWithoutWrfsbase) {
#if defined(__x86_64__)
  const uint8_t before = heddle_fiber_use_wrfsbase;
  heddle_fiber_use_wrfsbase = 0;
  pthread_t self = {};
  int sum = 0;
  Runner runner([&] {
    self = pthread_self();
    for (int i = 0; i < 10; ++i) {
      ++sum;
      fiber::switch_to(fiber::root());
    }
  });
  for (int i = 0; i < 11; ++i) runner.resume();
  heddle_fiber_use_wrfsbase = before;
  EXPECT_EQ(sum, 10);
  EXPECT_TRUE(pthread_equal(self, fiber::handle(runner.fiber())));
#endif
}

}  // namespace
}  // namespace fiber_test
