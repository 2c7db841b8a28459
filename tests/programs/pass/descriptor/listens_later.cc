// heddle: expect=pass runs=3000
// A socket that is neither connected nor listening counts as hung up. A thread that waits for it may learn that, or that it listens by now:
// then it goes on waiting.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(listens_later) {
  const int epoll = epoll_create1(0);
  std::thread server([=] {
    for (;;) {
      epoll_event event;
      assert(epoll_wait(epoll, &event, 1, -1) == 1);
      if ((event.events & EPOLLIN) == 0) continue;
      const int client = accept(event.data.fd, nullptr, nullptr);
      assert(client >= 0);
      close(client);
      return;
    }
  });
  std::mutex mutex;
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data = {.fd = listener}};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) == 0);
  sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
  assert(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(sa_family_t)) == 0);  // any free abstract name
  assert(listen(listener, 1) == 0);
  for (int i = 0; i < 3; ++i) {
    const std::lock_guard lock(mutex);
  }
  assert(epoll_ctl(epoll, EPOLL_CTL_MOD, listener, &event) == 0);
  socklen_t size = sizeof address;
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(client, reinterpret_cast<sockaddr*>(&address), size) == 0);
  server.join();
  close(client);
  close(listener);
  close(epoll);
}
