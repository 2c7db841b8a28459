// heddle: expect=unsupported budget=2000
// A harness's thread takes signals by sigwait. Blocked by that thread itself, they may come before.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

static sigset_t set;

static void* take(void* unused) {
  int number;
#ifndef FIXED
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
  assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t taker;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
#ifdef FIXED
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
  pthread_create(&taker, NULL, take, NULL);
  pthread_kill(taker, SIGUSR1);
  pthread_join(taker, NULL);
  return 0;
}
