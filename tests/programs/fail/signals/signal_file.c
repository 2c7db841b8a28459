// heddle: expect=blocked_threads budget=2000
// Workers tell the main loop by SIGUSR1 that a job is done, and it reads one signal for each. A signal that is already there is not sent twice.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int jobs_done;

static void *work(void *unused) {
  __atomic_fetch_add(&jobs_done, 1, __ATOMIC_SEQ_CST);
  kill(getpid(), SIGUSR1);
  return unused;
}

static void values_and_errors(void) {
  sigset_t some;
  siginfo_t info;
  struct signalfd_siginfo got[2];
  sigemptyset(&some);
  sigaddset(&some, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &some, NULL);
  kill(getpid(), SIGRTMIN);
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 6});
  assert(sigwaitinfo(&some, &info) == SIGRTMIN && info.si_code == SI_USER && info.si_value.sival_int == 0);
  assert(sigwaitinfo(&some, &info) == SIGRTMIN && info.si_code == SI_QUEUE && info.si_value.sival_int == 6);
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 7});
  const int file = signalfd(-1, &some, SFD_NONBLOCK);
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 8});
  struct pollfd ready = {.fd = file, .events = POLLIN};
  assert(poll(&ready, 1, 0) == 1);
  assert(read(file, got, sizeof got) == sizeof got && got[0].ssi_int == 7 && got[1].ssi_int == 8);
  assert(got[0].ssi_signo == (unsigned)SIGRTMIN && got[0].ssi_code == SI_QUEUE && got[0].ssi_pid == (unsigned)getpid());
  assert(read(file, got, sizeof got) == -1 && errno == EAGAIN && write(file, got, sizeof got) == -1);
  assert(signalfd(0x7fff, &some, 0) == -1);
  sigaddset(&some, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &some, NULL);
  assert(signalfd(file, &some, 0) == file && raise(SIGUSR2) == 0 && raise(SIGUSR2) == 0);
  assert(read(file, got, sizeof got) == sizeof *got && got[0].ssi_signo == SIGUSR2);
  assert(close(file) == 0);
}

int main(void) {
  pthread_t workers[2];
  sigset_t wanted;
  values_and_errors();
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &wanted, NULL);
  const int arrivals = signalfd(-1, &wanted, SFD_CLOEXEC);
  for (int i = 0; i < 2; ++i) pthread_create(&workers[i], NULL, work, NULL);
#ifdef FIXED
  while (__atomic_load_n(&jobs_done, __ATOMIC_SEQ_CST) < 2) {
#else
  for (int i = 0; i < 2; ++i) {
#endif
    struct signalfd_siginfo one;
    assert(read(arrivals, &one, sizeof one) == sizeof one && one.ssi_signo == SIGUSR1);
  }
  for (int i = 0; i < 2; ++i) pthread_join(workers[i], NULL);
  close(arrivals);
  return 0;
}
