// C++ exceptions on fibers, and the forced unwind of pthread_exit.
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "fiber/thread_exit.h"
#include "fiber_test.h"

extern "C" {
// What intercept/ does in the product.
void __pthread_register_cancel(__pthread_unwind_buf_t* cleanup) {
  heddle::fiber::push_cleanup(cleanup);
}
void __pthread_unregister_cancel(__pthread_unwind_buf_t* cleanup) {
  heddle::fiber::pop_cleanup(cleanup);
}
void __pthread_unwind_next(__pthread_unwind_buf_t* cleanup) {
  heddle::fiber::next_cleanup(cleanup);
}

void c_cleanups(void (*note)(void*), void (*leave)(void));
}

namespace fiber_test {
namespace {

void throw_number(int depth, int number) {
  if (depth == 0) throw std::runtime_error(std::to_string(number));
  throw_number(depth - 1, number);
  asm volatile("");  // no tail call
}

// Every fiber is inside its own catch block while the others throw, so each needs its own stack of
// caught exceptions.
TEST(Exceptions, CaughtAndRethrownAcrossSwitches) {
  constexpr int kFibers = 4, kRounds = 50;
  std::string seen[kFibers];
  int uncaught = 0;
  auto body = [&](int self) {
    for (int round = 0; round < kRounds; ++round) {
      try {
        try {
          throw_number(5, self * 1000 + round);
        } catch (...) {
          fiber::switch_to(fiber::root());
          throw;
        }
      } catch (const std::runtime_error& e) {
        fiber::switch_to(fiber::root());
        if (e.what() != std::to_string(self * 1000 + round)) ++uncaught;
        seen[self] = e.what();
      }
      uncaught += std::uncaught_exceptions();
    }
  };
  Runner a([&] { body(0); }), b([&] { body(1); }), c([&] { body(2); }), d([&] { body(3); });
  Runner* all[] = {&a, &b, &c, &d};
  for (int step = 0; step <= 2 * kRounds; ++step) {
    for (Runner* runner : all) {
      if (!fiber::finished(runner->fiber())) runner->resume();
    }
  }
  for (int i = 0; i < kFibers; ++i) {
    EXPECT_TRUE(fiber::finished(all[i]->fiber()));
    EXPECT_EQ(seen[i], std::to_string(i * 1000 + kRounds - 1));
  }
  EXPECT_EQ(uncaught, 0);
}

TEST(Exceptions, AnAbandonedCatchBlockLeavesNothingToTheNextFiber) {
  for (int round = 0; round < 3; ++round) {
    int caught = -1;
    bool current = true;
    Runner runner([&] {
      current = std::current_exception() != nullptr;
      caught = std::uncaught_exceptions();
      try {
        throw std::runtime_error("held");
      } catch (...) {
        fiber::switch_to(fiber::root());
      }
    });
    runner.resume();
    EXPECT_FALSE(current);
    EXPECT_EQ(caught, 0);
  }
}

TEST(ExceptionsDeathTest, AnUncaughtOneTerminatesWithItsMessage) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        Runner runner([] { throw std::runtime_error("nobody catches this"); });
        runner.resume();
      },
      "terminate called after throwing an instance of 'std::runtime_error'(.|\n)*nobody catches "
      "this");
}

struct Guard {
  explicit Guard(std::string* log, char letter) : log(log), letter(letter) {}
  ~Guard() {
    *log += letter;
    fiber::switch_to(fiber::root());  // cleanups of real threads block too
    *log += letter;
  }
  std::string* log;
  char letter;
};

void exit_deep(std::string* log, int depth) {
  Guard guard(log, static_cast<char>('a' + depth));
  if (depth == 3) fiber::unwind_current_to_base();
  exit_deep(log, depth + 1);
}

TEST(Unwind, RunsEveryCleanupAndFinishes) {
  for (int round = 0; round < 3; ++round) {
    std::string log;
    Runner runner([&] {
      Guard outer(&log, 'z');
      try {
        exit_deep(&log, 0);
      } catch (const std::exception&) {
        log += '!';
      }
      log += '!';
    });
    for (int i = 0; i < 6; ++i) runner.resume();
    EXPECT_TRUE(fiber::finished(runner.fiber()));
    EXPECT_EQ(log, "ddccbbaazz");
  }
}

TEST(Unwind, PassesCatchAllThatRethrows) {
  std::string log;
  Runner runner([&] {
    try {
      fiber::unwind_current_to_base();
    } catch (...) {
      log += 'c';
      throw;
    }
  });
  runner.resume();
  EXPECT_EQ(log, "c");
  EXPECT_TRUE(fiber::finished(runner.fiber()));
}

std::string notes;

// Frames of C and of C++ in turn.
TEST(Unwind, RunsTheCleanupsOfPlainC) {
  for (int round = 0; round < 3; ++round) {
    notes.clear();
    Runner runner([] {
      struct Note {
        ~Note() { notes += '+'; }
      };
      auto note = [](void* text) { notes += static_cast<char*>(text); };
      Note outer;
      c_cleanups(note, [] {
        Note middle;
        c_cleanups([](void* text) { notes += static_cast<char*>(text); },
                   [] { fiber::unwind_current_to_base(); });
      });
      notes += '!';
    });
    runner.resume();
    EXPECT_TRUE(fiber::finished(runner.fiber()));
    EXPECT_EQ(notes, "popped popped inner outer +inner outer +");
  }
}

TEST(Unwind, GoesOnInTheFinishHandler) {
  static Fiber* in_finish;
  in_finish = nullptr;
  fiber::set_finish([](Fiber* self) {
    in_finish = self;
    fiber::exit_to(fiber::root());
  });
  Runner runner([] { fiber::unwind_current_to_base(); });
  runner.resume();
  EXPECT_EQ(in_finish, runner.fiber());
  in_finish = nullptr;
  Runner returns([] {});
  returns.resume();
  EXPECT_EQ(in_finish, returns.fiber());
  fiber::set_finish(nullptr);
}

TEST(UnwindDeathTest, CatchAllThatDoesNotRethrowIsFatal) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        Runner runner([] {
          try {
            fiber::unwind_current_to_base();
          } catch (...) {
          }
        });
        runner.resume();
      },
      "FATAL: exception not rethrown");
}

}  // namespace
}  // namespace fiber_test
