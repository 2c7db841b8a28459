// heddle: expect=heap-use-after-free budget=2000 asan
// The owner frees as soon as it sees "done"; the worker says "done" before its last access. Only the free and a plain
// write are in the wrong order: no lock, no atomic stands between them.
#include <heddle/heddle.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(freed_after_unlock) {
  char* buffer = static_cast<char*>(std::malloc(32));
  std::strcpy(buffer, "hello");
  std::mutex m;
  bool done = false;
  std::thread worker([&] {
#ifdef FIXED
    buffer[1] = 'x';
#endif
    {
      std::lock_guard lock(m);
      done = true;
    }
#ifndef FIXED
    buffer[1] = 'x';
#endif
  });
  for (;;) {
    std::lock_guard lock(m);
    if (done) break;
  }
  std::free(buffer);
  worker.join();
}
