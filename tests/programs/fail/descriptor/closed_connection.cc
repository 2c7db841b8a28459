// heddle: expect=assertion budget=10000
// A server closes a connection while a worker is about to answer on it. The next connection gets the number, and the answer.
#include <heddle/heddle.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(closed_connection) {
  int one[2], next[2];
  [[maybe_unused]] int result = socketpair(AF_UNIX, SOCK_STREAM, 0, one);
  std::atomic<bool> gone{false};
  std::mutex sends;
  std::thread worker([&] {
#ifdef FIXED
    const std::lock_guard guard(sends);
#endif
    if (!gone.load()) send(one[0], "a", 1, MSG_NOSIGNAL);
  });
  {
    const std::lock_guard guard(sends);
    gone = true;
    close(one[0]);
  }
  result = socketpair(AF_UNIX, SOCK_STREAM, 0, next);
  worker.join();
  char answer;
  result = static_cast<int>(recv(next[1], &answer, 1, MSG_DONTWAIT));
  assert(result == -1);
  for (const int end : {one[1], next[0], next[1]}) close(end);
}
