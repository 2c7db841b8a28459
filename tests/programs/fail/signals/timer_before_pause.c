// heddle: expect=blocked_threads budget=2000
// A timer's signal can come before pause(). Then nothing ends the pause. The handler gets the counter that the timer was made with.
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void count(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  if (info->si_code == SI_TIMER) ++*(volatile int*)info->si_value.sival_ptr;
}

HEDDLE_FUZZ_TEST(timer_before_pause) {
  volatile int ticks = 0;
  const struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN, .sigev_value.sival_ptr = (void*)&ticks};
  const struct itimerspec soon = {.it_value.tv_nsec = 1000000};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
#ifdef FIXED
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  timer_settime(timer, 0, &soon, NULL);
  while (ticks == 0) sigsuspend(&before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
#else
  timer_settime(timer, 0, &soon, NULL);
  while (ticks == 0) pause();
#endif
  timer_delete(timer);
}
