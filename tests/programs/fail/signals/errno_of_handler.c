// heddle: expect=assertion budget=2000
// A signal handler changes errno between a call that fails and the look at its errno.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

static int requests[2];
static int log_file = -1;  // not open yet

static void note(int number) {
#ifdef FIXED
  const int saved = errno;
#endif
  const char what = (char)number;
  (void)!write(log_file, &what, 1);
#ifdef FIXED
  errno = saved;
#endif
}

static void* worker(void* unused) {
  char byte;
  if (read(requests[0], &byte, 1) < 0) assert(errno == EAGAIN || errno == EINTR);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  struct sigaction action = {.sa_handler = note};
  sigaction(SIGUSR1, &action, NULL);
  assert(pipe(requests) == 0);
  assert(fcntl(requests[0], F_SETFL, O_NONBLOCK) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  close(requests[0]);
  close(requests[1]);
  return 0;
}
