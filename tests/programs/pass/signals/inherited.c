// heddle: expect=pass runs=500
// What LLVMFuzzerInitialize has set is what each execution begins with, and a fault reaches the handler that the execution has for it.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

static volatile sig_atomic_t handled;
static sigjmp_buf back;

static void handle(int number) { handled = number; }

static void on_fault(int number) {
  handled = number;
  siglongjmp(back, 1);
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGURG);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGUSR1, handle);
  signal(SIGUSR2, SIG_IGN);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  sigset_t now;
  struct sigaction fault = {.sa_handler = on_fault, .sa_flags = SA_NODEFER}, before;
  assert(sigprocmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGURG) && !sigismember(&now, SIGUSR1));
  sigaddset(&now, SIGUSR1);
  raise(SIGUSR2);
  raise(SIGUSR1);
  assert(handled == SIGUSR1);
  assert(signal(SIGUSR1, SIG_DFL) == handle && signal(SIGUSR2, handle) == SIG_IGN);
  sigprocmask(SIG_SETMASK, &now, NULL);

  assert(sigaction(SIGSEGV, &fault, &before) == 0 && before.sa_handler != on_fault);
  if (sigsetjmp(back, 0) == 0) *(volatile int*)1 = 1;
  assert(handled == SIGSEGV);
  return 0;
}
