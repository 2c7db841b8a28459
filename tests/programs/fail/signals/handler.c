// heddle: expect=assertion budget=2000
// Handlers that a harness sets are gone in the next execution. One thread ignores a signal that the other one sends to itself.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

static int handled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handle(int number) { handled = number; }

static void* ignore(void* unused) {
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  if (handled != 0)
#endif
    signal(SIGUSR1, SIG_IGN);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  struct sigaction alone = {.sa_handler = handle, .sa_flags = SA_RESETHAND}, before;
  assert(sigaction(SIGUSR2, &alone, &before) == 0 && before.sa_handler == SIG_DFL);
  assert(signal(SIGUSR1, handle) == SIG_DFL);
  pthread_create(&other, NULL, ignore, NULL);
  pthread_mutex_lock(&mutex);
  raise(SIGUSR1);
  assert(handled == SIGUSR1);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
  raise(SIGUSR2);
  assert(handled == SIGUSR2);
  assert(sigaction(SIGUSR2, NULL, &before) == 0 && before.sa_handler == SIG_DFL);
  return 0;
}
