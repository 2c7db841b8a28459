// heddle: expect=blocked_threads|deadlock budget=10000
// The work of two processes in two threads, with a pipe each way. Each asks the other a question. If both ask before either answers, each waits for
// an answer from the other, which waits, too.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

static int to_worker[2], to_main[2];
static atomic_int asking;

static void converse(int in, int out) {
  char c = 'q';
#ifdef FIXED
  const int first = atomic_fetch_add(&asking, 1) == 0;
#else
  const int first = atomic_load(&asking) == 0;
  atomic_store(&asking, 1);
#endif
  if (first) {
    (void)!read(in, &c, 1);
  } else {
    (void)!write(out, &c, 1);
  }
}

static void* work(void* argument) {
  converse(to_worker[0], to_main[1]);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  if (pipe(to_worker) != 0 || pipe(to_main) != 0) return 0;
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  converse(to_main[0], to_worker[1]);
  pthread_join(worker, NULL);
  for (int i = 0; i < 2; ++i) {
    close(to_worker[i]);
    close(to_main[i]);
  }
  return 0;
}
