// A child process by clone(), or by a system call. It gets a copy of what its parent has: with ASSERT, whether the other thread has counted
// by then decides whether it fails.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int count;

static void* add(void* argument) {
  count += 1;
  return argument;
}

static int child(void* argument) {
  const int before = count;
#ifdef ASSERT
  assert(before == 0);
#endif
  count += 10;
  pthread_t own;
  pthread_create(&own, NULL, add, NULL);
  pthread_join(own, NULL);
  return count == before + 11 && argument == &count ? 3 : 4;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "clone";
  pthread_t other;
  pthread_create(&other, NULL, add, NULL);
  pid_t process = -1;
  if (strcmp(how, "clone") == 0) {
    const size_t size = 1 << 16;
    char* const stack = malloc(size);
    process = clone(child, stack + size, SIGCHLD, &count);
    free(stack);
  } else if (strcmp(how, "shared") == 0) {
    const size_t size = 1 << 16;
    char* const stack = malloc(size);
    process = clone(child, stack + size, CLONE_VM | SIGCHLD, &count);
  } else {
    process = (pid_t)syscall(SYS_fork);
    if (process == 0) _exit(child(&count));
  }
  int status = 0;
  const int waited = waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 3;
  pthread_join(other, NULL);
  if (!waited || count != 1) abort();
  return 0;
}
