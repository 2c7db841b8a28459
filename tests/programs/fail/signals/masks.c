// heddle: expect=assertion budget=2000
// Each thread of a harness has its own mask, which a new thread inherits. The next execution begins with the process's mask.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static sigset_t set;
static atomic_int started;

static int blocks(int number) {
  sigset_t now;
  assert(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
  return sigismember(&now, number);
}

static void* heir(void* unused) {
  assert(blocks(SIGUSR1));
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  return unused;
}

static void* parent(void* unused) {
  assert(!blocks(SIGUSR1));
#ifdef FIXED
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#else
  if (atomic_exchange(&started, 1) == 0) pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
  pthread_t child;
  pthread_create(&child, NULL, heir, NULL);
  pthread_join(child, NULL);
  assert(blocks(SIGUSR1));
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t thread;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(!blocks(SIGUSR1) && !blocks(SIGUSR2));
  pthread_create(&thread, NULL, parent, NULL);
  atomic_exchange(&started, 1);
  assert(!blocks(SIGUSR1));
  pthread_join(thread, NULL);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, NULL);
  return 0;
}
