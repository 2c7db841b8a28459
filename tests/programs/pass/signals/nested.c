// heddle: expect=pass runs=1000
// A signal that comes in its own handler waits until the handler has returned, except with SA_NODEFER. siglongjmp out of a handler puts the mask back.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

static volatile sig_atomic_t handled, depth, deepest;
static sigjmp_buf back;
static pthread_t receiver;

static void on_signal(int number) {
  ++depth;
  if (depth > deepest) deepest = depth;
  if (handled++ == 0) raise(number);
  --depth;
}

static void jump(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static void* send_signal(void* unused) {
  pthread_kill(receiver, SIGUSR2);
  return unused;
}

static int blocked(int number) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  return sigismember(&now, number);
}

static void handle_with(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, NULL);
}

int main(void) {
  receiver = pthread_self();
  handle_with(SIGUSR1, on_signal, 0);
  raise(SIGUSR1);
  assert(handled == 2 && deepest == 1);
  handled = deepest = 0;
  handle_with(SIGUSR1, on_signal, SA_NODEFER);
  raise(SIGUSR1);
  assert(handled == 2 && deepest == 2);

  handle_with(SIGUSR2, jump, 0);
  if (sigsetjmp(back, 1) == 0) {
    raise(SIGUSR2);
    assert(0);
  }
  assert(!blocked(SIGUSR2));
  if (sigsetjmp(back, 0) == 0) {
    raise(SIGUSR2);
    assert(0);
  }
  assert(blocked(SIGUSR2));
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);

  pthread_t sender;
  if (sigsetjmp(back, 1) == 0) {
    pthread_create(&sender, NULL, send_signal, NULL);
    for (;;) sigsuspend(&(sigset_t){0});
  }
  assert(!blocked(SIGUSR2));
  pthread_join(sender, NULL);
  return 0;
}
