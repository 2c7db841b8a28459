// heddle: expect=data_race budget=2000 options=report_races=1
// A request is handed over by arming its descriptor in an epoll set: the thread that gets the event owns it. What is written after that is written too late.
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int set, ready;
static volatile int request;

static void* hands_over(void* nothing) {
  struct epoll_event event = {.events = EPOLLIN};
#ifdef FIXED
  request = 1;
  epoll_ctl(set, EPOLL_CTL_ADD, ready, &event);
#else
  epoll_ctl(set, EPOLL_CTL_ADD, ready, &event);
  request = 1;
#endif
  return nothing;
}

static void* serves(void* nothing) {
  struct epoll_event event;
  if (epoll_wait(set, &event, 1, -1) == 1) request = 2;
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  set = epoll_create1(0);
  ready = eventfd(1, 0);
  pthread_t one, other;
  pthread_create(&one, NULL, hands_over, NULL);
  pthread_create(&other, NULL, serves, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  close(ready);
  close(set);
  return 0;
}
