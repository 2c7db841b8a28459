// heddle: expect=pass runs=1000 options=report_races=1
// The first try fails. A thread that returns from call_once sees what the second one wrote.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

HEDDLE_FUZZ_TEST(once_at_last) {
  std::once_flag once;
  int value = 0, tries = 0;
  const auto use = [&] {
    for (bool there = false; !there;) {
      try {
        std::call_once(once, [&] {
          if (++tries == 1) throw std::runtime_error("not yet");
          value = 5;
        });
        there = true;
      } catch (const std::runtime_error&) {
      }
    }
    assert(value == 5);
  };
  std::thread one(use), two(use);
  use();
  one.join();
  two.join();
  assert(tries == 2);
}
