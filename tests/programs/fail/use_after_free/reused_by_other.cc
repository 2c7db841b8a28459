// heddle: expect=heap-use-after-free budget=1000
// One thread ends a session, another one begins the next in the same memory, and a third one, which has waited for data, counts them for the first.
#include <heddle/heddle.h>

#include <mutex>
#include <semaphore>
#include <thread>

namespace {
struct Session {
  int received = 0;
  char buffer[2000];  // larger than what the allocator keeps for each thread
};
std::mutex m;
Session* session;
std::binary_semaphore data{0};

Session* current() {
  std::lock_guard lock(m);
  return session;
}

void begin() {
  std::lock_guard lock(m);
  session = new Session;
}

void end() {
  std::lock_guard lock(m);
  delete session;
  session = nullptr;
}

void receive() {
#ifdef FIXED
  data.acquire();
  Session* const mine = current();
#else
  Session* const mine = current();
  data.acquire();
#endif
  if (mine != nullptr) ++mine->received;
}
}  // namespace

HEDDLE_FUZZ_TEST(reused_by_other) {
  begin();
  void* const pin = operator new(100);  // so that the memory does not join the rest
  std::thread receiver(receive), ender(end);
  ender.join();
  begin();
  data.release();
  receiver.join();
  end();
  operator delete(pin);
}
