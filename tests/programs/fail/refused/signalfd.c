// heddle: expect=unsupported budget=10
// A descriptor at which signals arrive: those of an execution stay with heddle. The other form waits for them.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void* sends(void* nothing) {
  kill(getpid(), SIGUSR1);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &wanted, NULL);
  pthread_t other;
  pthread_create(&other, NULL, sends, NULL);
#ifdef FIXED
  int number;
  sigwait(&wanted, &number);
#else
  const int arrivals = signalfd(-1, &wanted, 0);
  struct signalfd_siginfo one;
  if (read(arrivals, &one, sizeof one) != sizeof one) abort();
  close(arrivals);
#endif
  pthread_join(other, NULL);
  return 0;
}
