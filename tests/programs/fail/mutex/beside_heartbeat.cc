// heddle: expect=deadlock budget=2000
// Two threads lock in opposite order, beside a service that always does something new. It hides from nobody that they stand still.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(beside_heartbeat) {
  std::mutex accounts, journal;
  std::atomic<bool> stop{false};
  std::atomic<int> beats{0};
  int balance = 100, entries = 0;
  std::thread heartbeat([&] {
    while (!stop) {
      ++beats;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  std::thread auditor([&] {
#ifdef FIXED
    std::scoped_lock both(accounts, journal);
#else
    std::lock_guard first(journal);
    std::lock_guard second(accounts);
#endif
    entries += balance;
  });
  {
    std::lock_guard first(accounts);
    std::lock_guard second(journal);
    balance -= 10;
    ++entries;
  }
  auditor.join();
  stop = true;
  heartbeat.join();
}
