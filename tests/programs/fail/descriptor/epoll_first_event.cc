// heddle: expect=assertion budget=10000
// An event loop that takes one event at a time, and takes for granted that what was registered first comes first.
#include <heddle/heddle.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(epoll_first_event) {
  const int loop = epoll_create1(0);
  const int setup = eventfd(0, 0), use = eventfd(0, 0);
  for (const int fd : {setup, use}) {
    epoll_event e = {};
    e.events = EPOLLIN;
    e.data.fd = fd;
    epoll_ctl(loop, EPOLL_CTL_ADD, fd, &e);
  }
  std::thread poster([&] {
    eventfd_write(setup, 1);
    eventfd_write(use, 1);
  });
  bool ready = false;
#ifdef FIXED
  eventfd_t early;
  eventfd_read(setup, &early);
  ready = true;
#endif
  for (bool used = false; !used;) {
    epoll_event e;
    epoll_wait(loop, &e, 1, -1);
    eventfd_t n;
    eventfd_read(e.data.fd, &n);
    if (e.data.fd == setup) ready = true;
    used = e.data.fd == use;
    if (used) assert(ready);
  }
  poster.join();
  close(setup);
  close(use);
  close(loop);
}
