// heddle: expect=assertion budget=2000
// Two threads take turns by two semaphores with names. The one of them that is to begin with 0 begins with 1.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FIXED
enum { kFull = 0 };
#else
enum { kFull = 1 };
#endif

static int box;

static void *produce(void *unused) {
  sem_t *const empty = sem_open("/empty", O_CREAT, 0600, 1);
  sem_t *const full = sem_open("/full", O_CREAT, 0600, kFull);
  for (int i = 1; i <= 2; ++i) {
    sem_wait(empty);
    box = i;
    sem_post(full);
  }
  sem_close(empty);
  sem_close(full);
  return unused;
}

static void *consume(void *unused) {
  sem_t *const full = sem_open("full", O_CREAT, 0600, kFull);
  sem_t *const empty = sem_open("empty", O_CREAT, 0600, 1);
  assert(full != SEM_FAILED && empty != SEM_FAILED && full != empty);
  for (int i = 1; i <= 2; ++i) {
    sem_wait(full);
    assert(box == i);
    sem_post(empty);
  }
  sem_close(empty);
  sem_close(full);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  box = 0;
  assert(sem_open("/empty", 0) == SEM_FAILED && errno == ENOENT);  // an execution begins without names
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, produce, NULL);
  pthread_create(&threads[1], NULL, consume, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(sem_open("/empty", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
  sem_t *const first = sem_open("/empty", 0), *const again = sem_open("/empty", 0);
  assert(first == again);
  assert(sem_unlink("/empty") == 0 && sem_unlink("/empty") == -1 && errno == ENOENT);
  sem_t *const other = sem_open("/empty", O_CREAT | O_EXCL, 0600, 7);
  int value;
  assert(other != first && sem_getvalue(other, &value) == 0 && value == 7 && sem_getvalue(first, &value) == 0 && value == 1);
  assert(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
  return 0;
}
