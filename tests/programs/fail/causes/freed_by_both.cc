// heddle: expect=double-free budget=3000
// The last of two users frees the buffer. Who counts down looks later whether it was the last, and then both are.
#include <heddle/heddle.h>

#include <cstdlib>
#include <mutex>
#include <thread>

namespace {
struct Shared {
  int users = 2;
  char* buffer = static_cast<char*>(std::malloc(16));
  std::mutex m, log;
  int lines = 0;
};

void leave(Shared& s) {
  bool last;
  {
    std::lock_guard lock(s.m);
    --s.users;
#ifdef FIXED
    last = s.users == 0;
#endif
  }
  {
    std::lock_guard lock(s.log);
    ++s.lines;
  }
#ifndef FIXED
  {
    std::lock_guard lock(s.m);
    last = s.users == 0;
  }
#endif
  if (last) std::free(s.buffer);
}
}  // namespace

HEDDLE_FUZZ_TEST(freed_by_both) {
  Shared s;
  std::thread one([&] { leave(s); }), other([&] { leave(s); });
  one.join();
  other.join();
}
