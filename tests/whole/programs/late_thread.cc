// A thread is still at work when main returns: with the argument "destroyed" it then uses what a destructor has ended, "cycle" it has a
// deadlock with another one, else it just waits.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

// For ever: a destructor would end what is waited for.
struct Waiting {
  std::mutex mutex;
  std::condition_variable changed;
};

struct Service {
  ~Service() { __atomic_store_n(&running, false, __ATOMIC_SEQ_CST); }
  bool running = true;
  std::mutex mutex, other;
} service;

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "destroyed") {
    std::thread([] { assert(__atomic_load_n(&service.running, __ATOMIC_SEQ_CST)); }).detach();
  } else if (what == "cycle") {
    const auto lock_both = [](std::mutex& first, std::mutex& second) {
      std::lock_guard one(first);
      std::lock_guard two(second);
    };
    std::thread(lock_both, std::ref(service.mutex), std::ref(service.other)).detach();
    std::thread(lock_both, std::ref(service.other), std::ref(service.mutex)).detach();
  } else {
    static Waiting* waiting = new Waiting;
    std::thread([] {
      std::unique_lock lock(waiting->mutex);
      for (;;) waiting->changed.wait(lock);
    }).detach();
  }
  return 0;
}
