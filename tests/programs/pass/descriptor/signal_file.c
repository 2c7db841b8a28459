// heddle: expect=pass runs=500
// What a descriptor for signals does: whose signals it reads, in which order, with which data; what poll says of it; changes of its signals; alarms.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <unistd.h>

static sigset_t set_of(int one, int other) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, one);
  if (other != 0) sigaddset(&set, other);
  return set;
}

static int readable(int descriptor) {
  struct pollfd wait = {.fd = descriptor, .events = POLLIN};
  return poll(&wait, 1, 0) == 1;
}

// The number of the next signal; 0: none.
static int next(int descriptor) {
  struct signalfd_siginfo one;
  const ssize_t n = read(descriptor, &one, sizeof one);
  if (n < 0) assert(errno == EAGAIN);
  return n == sizeof one ? (int)one.ssi_signo : 0;
}

static int arrivals;

static void* other_thread(void* nothing) {
  assert(!readable(arrivals));  // the pending signal is main's alone
  assert(next(arrivals) == 0);
  pthread_kill(pthread_self(), SIGUSR2);
  assert(next(arrivals) == SIGUSR2);
  kill(getpid(), SIGUSR2);  // to the process: anyone's
  return nothing;
}

static void belongs_to_a_thread(void) {
  pthread_t other;
  pthread_kill(pthread_self(), SIGUSR1);
  pthread_create(&other, NULL, other_thread, NULL);
  pthread_join(other, NULL);
  assert(readable(arrivals));
  assert(next(arrivals) == SIGUSR1);
  assert(next(arrivals) == SIGUSR2);
  assert(!readable(arrivals));
  assert(next(arrivals) == 0);
}

static void carries_data(void) {
  const sigset_t set = set_of(SIGRTMIN, 0);
  assert(signalfd(arrivals, &set, 0) == arrivals);
  for (int i = 1; i <= 3; ++i) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
  struct signalfd_siginfo two[2];
  struct iovec parts[2] = {{&two[0], 100}, {(char*)two + 100, sizeof two - 100}};
  assert(readv(arrivals, parts, 2) == sizeof two);
  assert(two[0].ssi_int == 1 && two[1].ssi_int == 2 && two[1].ssi_code == SI_QUEUE && two[1].ssi_pid == (unsigned)getpid());
  assert(next(arrivals) == SIGRTMIN);
  assert(next(arrivals) == 0);
}

static void shares_with_sigwait(void) {
  const sigset_t set = set_of(SIGUSR1, 0);
  int number;
  raise(SIGUSR1);
  assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
  assert(!readable(arrivals));
}

static void rings(void) {
  const sigset_t set = set_of(SIGALRM, 0);
  const int alarms = signalfd(-1, &set, 0);
  assert(!readable(alarms));
  alarm(3600);
  assert(next(alarms) == SIGALRM);
  alarm(3600);
  struct pollfd wait = {.fd = alarms, .events = POLLIN};
  assert(poll(&wait, 1, -1) == 1 && next(alarms) == SIGALRM);
  close(alarms);
}

static void refuses_mistakes(void) {
  const sigset_t set = set_of(SIGUSR1, 0);
  char little[64] = {0};
  errno = 0;
  assert(read(arrivals, little, sizeof little) == -1 && errno == EINVAL);
  assert(write(arrivals, little, 8) == -1 && errno == EINVAL);
  assert(signalfd(-1, &set, 1) == -1 && errno == EINVAL);
  const int counter = dup(arrivals);
  assert(signalfd(counter, &set, 0) == counter);  // the same description
  close(counter);
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  sigset_t blocked = set_of(SIGUSR1, SIGUSR2);
  sigaddset(&blocked, SIGRTMIN);
  sigaddset(&blocked, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  const sigset_t set = set_of(SIGUSR1, SIGUSR2);
  arrivals = signalfd(-1, &set, SFD_NONBLOCK);
  assert(arrivals >= 0);
  belongs_to_a_thread();
  shares_with_sigwait();
  carries_data();
  rings();
  refuses_mistakes();
  close(arrivals);
  return 0;
}
