// A data race that does no harm. On demand an execution that does not end, or one that fails because of another race.
#pragma once

#include <cstdlib>
#include <thread>

inline int raced = 0;

inline void fail_of_race() {
  int known = 0, bystander = 0;
  std::thread writes([&] { bystander = 1, known = 1; });
  std::thread reads([&] { bystander = 2; if (known != 0) std::abort(); });
  reads.join();
  writes.join();
}

inline void race_body() {
  if (getenv("HEDDLE_TEST_FAIL") != nullptr) fail_of_race();
  std::thread writes([] { raced = 1; });
  volatile int seen = raced;
  (void)seen;
  writes.join();
  if (getenv("HEDDLE_TEST_STUCK") != nullptr) {
    for (;;) asm volatile("");  // no operation, no access
  }
}
