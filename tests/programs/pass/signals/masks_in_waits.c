// heddle: expect=pass runs=2000
// pselect, ppoll and epoll_pwait wait with another mask. A signal that came before ends the wait; but not if a descriptor is ready.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static pthread_t waiter;
static volatile sig_atomic_t handled;
static sigset_t open_mask;

static void on_signal(int number) {
  (void)number;
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  assert(sigismember(&now, SIGUSR2) == 0 && pthread_equal(pthread_self(), waiter));
  ++handled;
}

static void* send_signals(void* unused) {
  pthread_kill(waiter, SIGUSR1);
  kill(getpid(), SIGUSR1);
  return unused;
}

static void no_signal_outside(void) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  assert(sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGUSR2) == 1);
}

int main(void) {
  waiter = pthread_self();
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGUSR2);
  sigaddset(&blocked, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &blocked, &open_mask);
  const int idle = eventfd(0, EFD_NONBLOCK), ready = eventfd(1, EFD_NONBLOCK);
  const int polls = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = idle};
  assert(epoll_ctl(polls, EPOLL_CTL_ADD, idle, &event) == 0);

  pthread_t sender;
  if (pthread_create(&sender, NULL, send_signals, NULL) != 0) return 1;
  while (handled == 0) {
    fd_set reads;
    FD_ZERO(&reads);
    FD_SET(idle, &reads);
    assert(pselect(idle + 1, &reads, NULL, NULL, NULL, &open_mask) == -1 && errno == EINTR);
    no_signal_outside();
  }
  pthread_join(sender, NULL);
  const struct timespec none = {0, 0};
  while (sigtimedwait(&blocked, NULL, &none) > 0) {}

  handled = 0;
  raise(SIGUSR1);
  assert(handled == 0);
  fd_set reads;
  FD_ZERO(&reads);
  FD_SET(ready, &reads);
  assert(pselect(ready + 1, &reads, NULL, NULL, NULL, &open_mask) == 1 && handled == 0);
  assert(epoll_pwait(polls, &event, 1, -1, &open_mask) == -1 && errno == EINTR && handled == 1);
  assert(epoll_pwait(polls, &event, 1, 10, &open_mask) == 0 && handled == 1);
  no_signal_outside();
  alarm(1);
  assert(ppoll(NULL, 0, NULL, &open_mask) == -1 && errno == EINTR && handled == 2);
  const struct timespec minute = {60, 0};
  alarm(1);
  // A machine can be so slow that the limit comes first.
  assert(ppoll(NULL, 0, &minute, &open_mask) == 0 || (errno == EINTR && handled == 3));
  close(polls);
  close(idle);
  close(ready);
  return 0;
}
