// heddle: expect=blocked_threads budget=2000
// After PostgreSQL's latch.c: WaitLatch looks at the latch first and says that it waits afterwards. A signal in between finds
// nobody waiting, so it writes nothing to the self-pipe, and the poll sleeps although the latch is set.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct { volatile sig_atomic_t is_set; pthread_t owner; } Latch;

static int selfpipe_readfd = -1, selfpipe_writefd = -1;
static volatile sig_atomic_t waiting;
static Latch my_latch;
static struct { int work, stop; } shared;  // shared memory of the backends

static void send_self_pipe_byte(void) {
  const char dummy = 0;
  while (write(selfpipe_writefd, &dummy, 1) < 0 && errno == EINTR) {}
}

static void latch_sigusr1_handler(int number) {
  (void)number;
  const int saved = errno;
  if (waiting) send_self_pipe_byte();
  errno = saved;
}

static void drain_self_pipe(void) {
  char buffer[16];
  while (read(selfpipe_readfd, buffer, sizeof buffer) == (ssize_t)sizeof buffer) {}
}

static void set_latch(Latch *latch) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (latch->is_set) return;
  latch->is_set = 1;
  if (pthread_equal(latch->owner, pthread_self())) {
    if (waiting) send_self_pipe_byte();
  } else {
    pthread_kill(latch->owner, SIGUSR1);
  }
}

static void reset_latch(Latch *latch) {
  latch->is_set = 0;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void wait_latch(Latch *latch) {
#ifdef FIXED
  waiting = 1;
#endif
  for (;;) {
    if (latch->is_set) break;
#ifndef FIXED
    waiting = 1;
#endif
    struct pollfd p = {.fd = selfpipe_readfd, .events = POLLIN};
    const int rc = poll(&p, 1, -1);
    if (rc < 0 && errno != EINTR) perror("poll");
    if (rc > 0 && (p.revents & POLLIN)) drain_self_pipe();
  }
  waiting = 0;
}

static void *backend(void *unused) {
  for (int i = 0; i < 2; ++i) {
    __atomic_fetch_add(&shared.work, 1, __ATOMIC_SEQ_CST);
    set_latch(&my_latch);
  }
  __atomic_store_n(&shared.stop, 1, __ATOMIC_SEQ_CST);
  set_latch(&my_latch);
  return unused;
}

int main(void) {
  int fds[2];
  if (pipe(fds) != 0) return 1;
  fcntl(fds[0], F_SETFL, O_NONBLOCK);
  fcntl(fds[1], F_SETFL, O_NONBLOCK);
  selfpipe_readfd = fds[0];
  selfpipe_writefd = fds[1];
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = latch_sigusr1_handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  my_latch.owner = pthread_self();

  pthread_t other;
  pthread_create(&other, NULL, backend, NULL);
  int done = 0;
  for (;;) {
    reset_latch(&my_latch);
    const int stop = __atomic_load_n(&shared.stop, __ATOMIC_SEQ_CST);
    done += __atomic_exchange_n(&shared.work, 0, __ATOMIC_SEQ_CST);
    if (stop) break;
    wait_latch(&my_latch);
  }
  pthread_join(other, NULL);
  assert(done == 2);
  close(fds[0]);
  close(fds[1]);
  return 0;
}
