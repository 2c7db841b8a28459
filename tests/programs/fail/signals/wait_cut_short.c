// heddle: expect=assertion budget=2000
// A signal handler ends a wait for a semaphore. The waiter does not look at the result, and takes what is not there yet.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t full;
static int item;

static void ignore(int number) { (void)number; }

static void* take(void* unused) {
#ifdef FIXED
  while (sem_wait(&full) != 0) assert(errno == EINTR);
#else
  sem_wait(&full);
#endif
  assert(item == 7);
  return unused;
}

HEDDLE_FUZZ_TEST(wait_cut_short) {
  struct sigaction action = {.sa_handler = ignore};
  pthread_t taker;
  sem_init(&full, 0, 0);
  item = 0;
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&taker, NULL, take, NULL);
  pthread_kill(taker, SIGUSR1);
  item = 7;
  sem_post(&full);
  pthread_join(taker, NULL);
  sem_destroy(&full);
}
