// heddle: expect=pass runs=500
// A thread begins with the signal mask of its attributes. getitimer tells what is left of an alarm.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static void* look(void* expected) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  assert(sigismember(&now, SIGHUP) == *(int*)expected && sigismember(&now, SIGUSR1) == !*(int*)expected);
  return NULL;
}

static void ignore(int number) { (void)number; }

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setsigmask_np(&attributes, &set) == 0);
  int given = 1, inherited = 0;
  pthread_t one, other;
  pthread_create(&one, &attributes, look, &given);
  pthread_create(&other, NULL, look, &inherited);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  pthread_attr_destroy(&attributes);

  signal(SIGALRM, ignore);
  struct itimerval left;
  assert(getitimer(ITIMER_REAL, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0);
  alarm(100);
  assert(getitimer(ITIMER_REAL, &left) == 0 && left.it_value.tv_sec + (left.it_value.tv_usec != 0) == 100 && left.it_interval.tv_sec == 0);
  alarm(0);
  assert(getitimer(ITIMER_REAL, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0);
  return 0;
}
