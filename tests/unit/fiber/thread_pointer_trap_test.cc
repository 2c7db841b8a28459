// The thread pointer, when the kernel puts back what it was told last.
#include <time.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "fiber/thread_pointer_trap.h"
#include "fiber_test.h"

namespace fiber_test {
namespace {

#if defined(__x86_64__)

using fiber::thread_pointer_trap;

thread_local volatile int local = 0;

class ThreadPointerTrap : public testing::Test {
 protected:
  void SetUp() override {
    if (!trap_.possible()) GTEST_SKIP() << "wrfsbase does not work here";
  }
  TrapOn trap_;
};

TEST_F(ThreadPointerTrap, EachFiberFindsItsThreadLocalsAgain) {
  local = 1;
  Runner one([] {
    for (int i = 0;; ++i) {
      EXPECT_EQ(local, i);
      local = i + 1;
      thread_pointer_trap().spring();
      errno = i;
      fiber::switch_to(fiber::root());
      EXPECT_EQ(errno, i);
    }
  });
  for (int i = 0; i < 100; ++i) {
    one.resume();
    thread_pointer_trap().spring();
    EXPECT_EQ(local, 1);
    EXPECT_EQ(fiber::current(), fiber::root());
  }
  EXPECT_GE(TrapOn::mended, 200);  // more if the kernel has run something else
}

TEST_F(ThreadPointerTrap, ASleepDoesNoHarm) {
  local = 7;
  const timespec shortly = {0, 100'000};
  for (int i = 0; i < 10; ++i) {
    nanosleep(&shortly, nullptr);
    EXPECT_EQ(local, 7);
  }
}

TEST_F(ThreadPointerTrap, IsOffWhileTheKernelKnows) {
  {
    const fiber::KernelKnows known;
    EXPECT_FALSE(thread_pointer_trap().on());
    thread_pointer_trap().spring();
    local = 3;
  }
  EXPECT_TRUE(thread_pointer_trap().on());
  EXPECT_EQ(local, 3);
}

TEST_F(ThreadPointerTrap, IsOffUntilTheEndOnceTheProgramHandlesFaults) {
  thread_pointer_trap().give_up();
  thread_pointer_trap().set(true);
  EXPECT_FALSE(thread_pointer_trap().on());
  thread_pointer_trap().begin_execution();
  EXPECT_TRUE(thread_pointer_trap().on());
}

TEST_F(ThreadPointerTrap, AnotherKernelThreadChangesNothing) {
  std::atomic<bool> go = false, gone = false;
  // The C library blocks signals while it makes a thread. heddle's own pthread_create does the same as here.
  std::optional<fiber::KernelKnows> known(std::in_place);
  std::thread other([&] {
    while (!go) usleep(100);
    const fiber::KernelKnows without_effect;
    EXPECT_TRUE(thread_pointer_trap().on());
    local = 5;
    gone = true;
  });
  known.reset();
  go = true;
  const timespec shortly = {0, 100'000};
  while (!gone) nanosleep(&shortly, nullptr);
  EXPECT_NE(local, 5);
  known.emplace();
  other.join();
}

// Donors are made while it is on, too: a new thread inherits what the kernel knows.
TEST_F(ThreadPointerTrap, ManyFibers) {
  std::vector<std::unique_ptr<Runner>> all;
  int ran = 0;
  for (int i = 0; i < 40; ++i) all.push_back(std::make_unique<Runner>([&] { ++ran; }));
  for (const auto& one : all) one->resume();
  EXPECT_EQ(ran, 40);
}

#endif

}  // namespace
}  // namespace fiber_test
