// What may go wrong in an execution, by the words of HEDDLE_TEST. All but the deadlock need an order of two threads, which about every other schedule has.
#pragma once

#include <atomic>
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace go_on {

inline bool wanted(const char* bug) {
  const char* const bugs = std::getenv("HEDDLE_TEST");
  return bugs != nullptr && std::strstr(bugs, bug) != nullptr;
}

inline int (*volatile nowhere)() = nullptr;
inline int* volatile nothing = nullptr;
inline int runs = 0;  // put back before each execution

inline void fail() {
  if (wanted("assertion")) assert(runs == 0);
  if (wanted("exception")) throw std::out_of_range("as asked");
  if (wanted("write")) *nothing = 1;
  if (wanted("call")) nowhere();
  if (wanted("libc")) std::printf("%s", reinterpret_cast<const char*>(runs));
  if (wanted("raise")) std::raise(SIGABRT);
  if (wanted("freed")) {
    int* volatile block = new int(1);
    delete block;
    *block = 2;
  }
}

inline void second() {
  if (wanted("second")) std::abort();
}

inline void body() {
  assert(runs == 0);
  std::atomic<int> turn{0};
  std::mutex a, b;
  std::thread one([&] {
    if (turn.exchange(1) == 2) {
      runs = 1;
      fail();
    }
    if (!wanted("deadlock")) return;
    std::lock_guard first(a);
    std::lock_guard last(b);
  });
  std::thread other([&] {
    if (turn.exchange(2) == 1) second();
    if (!wanted("deadlock")) return;
    std::lock_guard first(b);
    std::lock_guard last(a);
  });
  one.join();
  other.join();
  runs = 2;
  if (wanted("always")) fail();
}

}  // namespace go_on
