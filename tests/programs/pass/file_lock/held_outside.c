// heddle: expect=pass runs=20
// Another process holds the file's lock when the first body begins, and releases it some time after a thread of the body has asked for it. That thread
// first waits in the scheduler, while the other thread can run, and then really, in the kernel, when no other thread can go on.
#include <assert.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

static int file = -1, asks[2];

// Until it is asked.
static void hold(int ready) {
  char c = 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int asked = flock(file, LOCK_EX) == 0 && write(ready, &c, 1) == 1 && read(asks[0], &c, 1) == 1;
  usleep(20000);
  _exit(!asked);
}

int LLVMFuzzerInitialize(int* count, char*** arguments) {
  (void)count;
  (void)arguments;
  char path[] = "held-XXXXXX", c;
  int ready[2];
  file = mkstemp(path);
  if (file < 0 || pipe(asks) != 0 || pipe(ready) != 0) abort();
  if (fork() == 0) hold(ready[1]);
  close(file);
  if (read(ready[0], &c, 1) != 1) abort();
  file = open(path, O_RDWR);
  unlink(path);
  return 0;
}

static void* asker(void* unused) {
  const char c = 0;
  const ssize_t asked = write(asks[1], &c, 1);
  assert(asked == 1);
  return unused;
}

HEDDLE_FUZZ_TEST(held_outside) {
  pthread_t other;
  pthread_create(&other, NULL, asker, NULL);
  const int locked = flock(file, LOCK_EX);
  assert(locked == 0);
  flock(file, LOCK_UN);
  pthread_join(other, NULL);
}
