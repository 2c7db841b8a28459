// heddle: expect=assertion budget=500
// Two threads ask commands, and add up what they said without a lock. (FIXED: with a lock.)
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static int ask(const char *command) {
  FILE *output = popen(command, "r");
  assert(output != NULL);
  int answer = 0;
  assert(fscanf(output, "%d", &answer) == 1 && fgetc(output) == '\n' && fgetc(output) == EOF);
  const int status = pclose(output);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == answer);
  return answer;
}

static void *add(void *command) {
  const int answer = ask(command);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  const int before = __atomic_load_n(&sum, __ATOMIC_SEQ_CST);
  __atomic_store_n(&sum, before + answer, __ATOMIC_SEQ_CST);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  (void)lock;
  pthread_t one, other;
  pthread_create(&one, NULL, add, "echo 1; exit 1");
  pthread_create(&other, NULL, add, "echo 2; exit 2");
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(sum == 3);
  // The other direction: the command takes its input when all of it is there.
  FILE *input = popen("read a && read b && exit $((a + b))", "w");
  assert(input != NULL && fprintf(input, "4\n5\n") == 4);
  const int status = pclose(input);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 9);
  return 0;
}
