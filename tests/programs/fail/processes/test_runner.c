// heddle: expect=assertion budget=2000
// A runner in the style of acutest: each test has a process of its own, whose exit code is the verdict. The second test loses an update.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter;
static int tests_run;

static void *count(void *unused) {
#ifdef FIXED
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
#else
  const int before = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
  __atomic_store_n(&counter, before + 1, __ATOMIC_SEQ_CST);
#endif
  return unused;
}

static void test_nothing(void) { counter = 100; }

static void test_counts(void) {
  pthread_t threads[2];
  assert(counter == 0);  // what the first test did is gone with its process
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(counter == 2);
}

static void test_fails(void) { exit(3); }

static const struct {
  const char *name;
  void (*function)(void);
  int code;
} tests[] = {{"nothing", test_nothing, 0}, {"counts", test_counts, 0}, {"fails", test_fails, 3}, {"counts again", test_counts, 0}};

int main(void) {
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    fflush(NULL);
    ++tests_run;
    const pid_t process = fork();
    assert(process >= 0);
    if (process == 0) {
      tests[i].function();
      exit(0);
    }
    int status = -1;
    assert(waitpid(process, &status, 0) == process);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == tests[i].code);
  }
  assert(counter == 0 && tests_run == 4);
  return 0;
}
