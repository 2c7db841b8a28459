// heddle: expect=pass runs=1000
// A small server: an event loop with a listener, a timer and an eventfd, two clients, a worker behind a pipe. Every request is answered.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#include <cassert>
#include <thread>

namespace {
// The kernel chooses the name: another process may run this program at the same time.
sockaddr_un own_address;
socklen_t own_length;

bool bind_to_own_address(int listener) {
  own_address = {};
  own_address.sun_family = AF_UNIX;
  if (bind(listener, reinterpret_cast<const sockaddr*>(&own_address), sizeof own_address.sun_family) != 0) return false;
  own_length = sizeof own_address;
  return getsockname(listener, reinterpret_cast<sockaddr*>(&own_address), &own_length) == 0;
}

void watch(int loop, int fd) {
  epoll_event e = {};
  e.events = EPOLLIN;
  e.data.fd = fd;
  assert(epoll_ctl(loop, EPOLL_CTL_ADD, fd, &e) == 0);
}

void client(char question) {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(fd, reinterpret_cast<const sockaddr*>(&own_address), own_length) == 0);
  assert(write(fd, &question, 1) == 1);
  char answer = 0;
  assert(read(fd, &answer, 1) == 1 && answer == question + 1);
  close(fd);
}
}  // namespace

HEDDLE_FUZZ_TEST(event_loop) {
  const int loop = epoll_create1(EPOLL_CLOEXEC);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  assert(bind_to_own_address(listener) && listen(listener, 2) == 0);
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const int stop = eventfd(0, EFD_NONBLOCK);
  int jobs[2], results[2];
  assert(pipe(jobs) == 0 && pipe2(results, O_NONBLOCK) == 0);
  for (const int fd : {listener, timer, stop, results[0]}) watch(loop, fd);
  const itimerspec soon = {{0, 0}, {0, 1'000'000}};
  timerfd_settime(timer, 0, &soon, nullptr);

  std::thread worker([&] {
    char job[2];
    while (read(jobs[0], job, 2) == 2) {
      ++job[1];
      assert(write(results[1], job, 2) == 2);
    }
  });
  std::thread clients([&] {
    std::thread other(client, 'a');
    client('k');
    other.join();
    eventfd_write(stop, 1);
  });
  bool ticked = false;
  for (bool stopped = false; !stopped || !ticked;) {
    epoll_event events[3];
    const int n = epoll_wait(loop, events, 3, -1);
    assert(n > 0);
    for (int i = 0; i < n; ++i) {
      const int fd = events[i].data.fd;
      if (fd == listener) {
        const int one = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
        if (one >= 0) watch(loop, one);
      } else if (fd == timer) {
        uint64_t expirations;
        assert(read(timer, &expirations, sizeof expirations) == sizeof expirations && expirations == 1);
        ticked = true;
      } else if (fd == stop) {
        eventfd_t count;
        stopped = eventfd_read(stop, &count) == 0 || stopped;
      } else if (fd == results[0]) {
        char result[2];
        assert(read(fd, result, 2) == 2 && write(result[0], &result[1], 1) == 1);
      } else {
        char question;
        if (read(fd, &question, 1) == 1) {
          const char job[2] = {static_cast<char>(fd), question};
          assert(write(jobs[1], job, 2) == 2);
        } else {
          close(fd);
        }
      }
    }
  }
  clients.join();
  close(jobs[1]);
  worker.join();
  for (const int fd : {loop, listener, timer, stop, jobs[0], results[0], results[1]}) close(fd);
}
