// heddle: expect=blocked_threads budget=500
// Each finished job sends a signal, which an event loop reads from a descriptor. It counts the signals, but two of the same number can become one.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { kJobs = 2 };
#ifdef FIXED
#define FINISHED SIGRTMIN  // real-time signals queue
#else
#define FINISHED SIGUSR1
#endif

static void* job(void* nothing) {
  kill(getpid(), FINISHED);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, FINISHED);
  pthread_sigmask(SIG_BLOCK, &wanted, NULL);
  const int arrivals = signalfd(-1, &wanted, SFD_CLOEXEC);
  pthread_t jobs[kJobs];
  for (int i = 0; i < kJobs; ++i) pthread_create(&jobs[i], NULL, job, NULL);
  for (int left = kJobs; left != 0; --left) {
    struct pollfd wait = {.fd = arrivals, .events = POLLIN};
    while (poll(&wait, 1, -1) != 1) continue;
    struct signalfd_siginfo one;
    if (read(arrivals, &one, sizeof one) != sizeof one || one.ssi_signo != (unsigned)FINISHED) abort();
  }
  for (int i = 0; i < kJobs; ++i) pthread_join(jobs[i], NULL);
  close(arrivals);
  return 0;
}
