// heddle: expect=assertion budget=2000
// A handler runs in a wait for a barrier, and the wait goes on. Exactly one thread is told that it is the serial one. What the handler has
// counted, the thread that sends the signal does not know without a wait for it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t barrier;
static atomic_int handled, serial;
static sem_t done;

static void handle(int number) {
  (void)number;
  ++handled;
  sem_post(&done);
}

static void* wait_there(void* argument) {
  const int result = pthread_barrier_wait(&barrier);
  if (result == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
  else if (result != 0) abort();
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  handled = serial = 0;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&done, 0, 0);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_there, NULL);
  pthread_kill(thread, SIGUSR1);
#ifdef FIXED
  while (sem_wait(&done) != 0) {
  }
#endif
  assert(handled == 1);
  wait_there(NULL);
  pthread_join(thread, NULL);
  if (serial != 1) abort();
  pthread_barrier_destroy(&barrier);
  sem_destroy(&done);
  return 0;
}
