// heddle: expect=data_race budget=500 options=report_races=1
// A signal that is read from a descriptor hands over what its sender wrote before. What is written after the signal is written too late.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

static pthread_t reader;
static long order;

static void* sender(void* number) {
#ifdef FIXED
  order = (long)number;
  pthread_kill(reader, SIGUSR1);
#else
  pthread_kill(reader, SIGUSR1);
  order = (long)number;
#endif
  return number;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  order = 0;
  reader = pthread_self();
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &wanted, NULL);
  const int arrivals = signalfd(-1, &wanted, SFD_NONBLOCK);
  const int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(set, EPOLL_CTL_ADD, arrivals, &event);
  pthread_t other;
  pthread_create(&other, NULL, sender, (void*)(size + 1));
  while (epoll_wait(set, &event, 1, -1) != 1) continue;
  struct signalfd_siginfo one;
  if (read(arrivals, &one, sizeof one) != sizeof one) abort();
  const long got = order;
  pthread_join(other, NULL);
  close(set);
  close(arrivals);
  if (got < 0) abort();
  return 0;
}
