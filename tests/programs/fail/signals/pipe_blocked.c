// heddle: expect=broken_pipe budget=2000
// A thread that blocks SIGPIPE gets EPIPE, and the signal stays pending. So do libraries that must not end their program.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void write_in_vain(int to) {
#ifdef FIXED
  sigset_t pipe_signal, pending;
  const struct timespec now = {0, 0};
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  assert(pthread_sigmask(SIG_BLOCK, &pipe_signal, NULL) == 0);
#endif
  assert(write(to, "x", 1) == -1 && errno == EPIPE);
#ifdef FIXED
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1);
  assert(sigtimedwait(&pipe_signal, NULL, &now) == SIGPIPE);
  assert(sigtimedwait(&pipe_signal, NULL, &now) == -1 && errno == EAGAIN);
  assert(pthread_sigmask(SIG_UNBLOCK, &pipe_signal, NULL) == 0);
#endif
}

static void* write_twice(void* unused) {
  int ends[2];
  assert(pipe(ends) == 0);
  close(ends[0]);
  write_in_vain(ends[1]);
  close(ends[1]);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  close(ends[0]);
  write_in_vain(ends[1]);
  close(ends[1]);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  pthread_create(&other, NULL, write_twice, NULL);
  pthread_join(other, NULL);
  return 0;
}
