// heddle: expect=pass runs=50
// The engine's timer (libFuzzer's -timeout) ticks in real time, while the body is inside a call that waits for another process: it must not come back with
// EINTR, which no input would repeat. (Made faster here: the other process sends the tick.)
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static int file = -1, begins[2];

static int set(int command, short type) {
  struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
  return fcntl(file, command, &whole);
}

// Holds the file until some time after the body has said that it is about to lock it.
static void hold(pid_t fuzzer, int ready) {
  char c = 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (set(F_SETLKW, F_WRLCK) != 0 || write(ready, &c, 1) != 1 || read(begins[0], &c, 1) != 1) _exit(1);
  for (int i = 0; i < 5; ++i) {
    usleep(20000);
    kill(fuzzer, SIGALRM);
  }
  usleep(20000);
  _exit(0);
}

int LLVMFuzzerInitialize(int* count, char*** arguments) {
  (void)count;
  (void)arguments;
  char path[] = "held-XXXXXX", c;
  int ready[2];
  file = mkstemp(path);
  unlink(path);
  if (file < 0 || pipe(begins) != 0 || pipe(ready) != 0) abort();
  const pid_t fuzzer = getpid();
  if (fork() == 0) hold(fuzzer, ready[1]);
  if (read(ready[0], &c, 1) != 1) abort();
  return 0;
}

HEDDLE_FUZZ_TEST(ticks_of_the_engine) {
  const char c = 0;
  const ssize_t said = write(begins[1], &c, 1);
  assert(said == 1);
  const int locked = set(F_SETLKW, F_WRLCK);
  assert(locked == 0);
  set(F_SETLK, F_UNLCK);
}
