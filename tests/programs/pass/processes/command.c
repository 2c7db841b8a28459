// heddle: expect=pass runs=60
// A command of system() ends before any thread goes on, and what it leaves is there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *make(void *unused) {
  assert(system("mkdir made_by_command && rmdir made_by_command") == 0);
  return unused;
}

int main(void) {
  assert(system(NULL) != 0);
  const int status = system("exit 3");
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  pthread_t one, other;
  pthread_create(&one, NULL, make, NULL);
  pthread_create(&other, NULL, make, NULL);
  assert(access("made_by_command", F_OK) != 0);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
