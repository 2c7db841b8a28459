// heddle: expect=assertion budget=2000
// A thread counts its open requests in a thread-local variable, and so does the handler that
// interrupts it. The signal comes before the thread blocks it, though there is no operation before
// that.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>

static _Thread_local volatile int open_requests, handled;

static void count(int number) {
  (void)number;
  handled = 1;
  open_requests = open_requests + 1;
}

static void* worker(void* set) {
#ifdef FIXED
  pthread_sigmask(SIG_BLOCK, set, NULL);
  open_requests = open_requests + 1;
#else
  open_requests = open_requests + 1;
  pthread_sigmask(SIG_BLOCK, set, NULL);
#endif
  assert(open_requests == 1 + handled);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  struct sigaction action = {.sa_handler = count};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &set);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
