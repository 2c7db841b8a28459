// A data race that does no harm, and on demand an execution that does not end.
#pragma once

#include <cstdlib>
#include <thread>

inline int raced = 0;

inline void race_body() {
  std::thread writes([] { raced = 1; });
  volatile int seen = raced;
  (void)seen;
  writes.join();
  if (getenv("HEDDLE_TEST_STUCK") != nullptr) {
    for (;;) asm volatile("");  // no operation, no access
  }
}
