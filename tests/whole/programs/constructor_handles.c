// A constructor installs the handler of a signal, as userspace RCU does, and another ignores one. main has them in each execution.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int answered;

static void answer(int number, siginfo_t* info, void* context) {
  (void)number, (void)info, (void)context;
  __atomic_store_n(&answered, 1, __ATOMIC_SEQ_CST);
}

__attribute__((constructor)) static void install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = answer;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, SIG_IGN);
}

static void* wait_for_answer(void* unused) {
  while (!__atomic_load_n(&answered, __ATOMIC_SEQ_CST)) sched_yield();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_answer, NULL);
  pthread_kill(thread, SIGUSR1);
  kill(getpid(), SIGUSR2);
  pthread_join(thread, NULL);
  signal(SIGUSR1, SIG_DFL);  // the next execution has the handler again
  return answered != 1;
}
