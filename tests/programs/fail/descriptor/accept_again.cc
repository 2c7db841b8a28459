// heddle: expect=blocked_threads budget=500
// A server accepts clients until it gets the order to stop. If it checks just before that, it waits for one more client, and no thread wakes it.
#include <heddle/heddle.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(accept_again) {
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socklen_t size = sizeof address.sun_family;  // the kernel finds a name
  assert(bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 && listen(listener, 4) == 0);
  size = sizeof address;
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const auto ask = [&] {
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);
    char answer = 0;
    assert(connect(s, reinterpret_cast<sockaddr*>(&address), size) == 0 && read(s, &answer, 1) == 1);
    close(s);
    return answer;
  };

  std::atomic<bool> stop{false};
  std::thread server([&] {
    while (!stop) {
      const int s = accept(listener, nullptr, nullptr);
      send(s, "y", 1, MSG_NOSIGNAL);
      close(s);
    }
  });
  assert(ask() == 'y');
  stop = true;
#ifdef FIXED
  std::thread waker([&] {
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(s, reinterpret_cast<sockaddr*>(&address), size);
    close(s);
  });
  waker.join();
#endif
  server.join();
  close(listener);
}
