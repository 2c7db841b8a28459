// heddle: expect=pass runs=3000
// An event loop whose signals arrive over a pipe (libevent's way): main waits without a time limit, and only the alarm can end that.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];

static void notify(int number) {
  const char byte = (char)number;
  (void)!write(ends[1], &byte, 1);
}

static void* serve(void* poll) {
  struct epoll_event event;
  int count;
  while ((count = epoll_wait(*(int*)poll, &event, 1, -1)) < 0) assert(errno == EINTR);
  char byte = 0;
  assert(count == 1 && read(ends[0], &byte, 1) == 1 && byte == SIGALRM);
  return poll;
}

static void start_alarm(void) {
  const struct itimerval time = {.it_value = {0, 100000}};
  assert(setitimer(ITIMER_REAL, &time, NULL) == 0);
}

int main(void) {
  assert(pipe(ends) == 0);
  int poll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  assert(epoll_ctl(poll, EPOLL_CTL_ADD, ends[0], &event) == 0);
  const struct sigaction interrupts = {.sa_handler = notify}, restarts = {.sa_handler = notify, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &interrupts, NULL);
  start_alarm();
  serve(&poll);  // here
  sigaction(SIGALRM, &restarts, NULL);
  start_alarm();
  char byte = 0;
  assert(read(ends[0], &byte, 1) == 1 && byte == SIGALRM);
  pthread_t server;
  assert(pthread_create(&server, NULL, serve, &poll) == 0);
  start_alarm();
  pthread_join(server, NULL);  // the handler runs in this wait
  close(poll);
  close(ends[0]);
  close(ends[1]);
  return 0;
}
