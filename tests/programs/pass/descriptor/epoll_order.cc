// heddle: expect=pass runs=2000
// The only thread makes its descriptors ready one after the other, and gets them in this order, as from any kernel.
#include <heddle/heddle.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>

HEDDLE_FUZZ_TEST(epoll_order) {
  const int loop = epoll_create1(0);
  int counters[3];
  for (int& counter : counters) {
    counter = eventfd(0, EFD_NONBLOCK);
    epoll_event e = {};
    e.events = EPOLLIN;
    e.data.fd = counter;
    assert(epoll_ctl(loop, EPOLL_CTL_ADD, counter, &e) == 0);
  }
  const int order[] = {1, 2, 0};
  for (const int i : order) eventfd_write(counters[i], 1);
  epoll_event events[3];
  assert(epoll_wait(loop, events, 3, 1000) == 3);
  assert(events[0].data.fd == counters[1] && events[1].data.fd == counters[2] && events[2].data.fd == counters[0]);
  for (const int counter : counters) close(counter);
  close(loop);
}
