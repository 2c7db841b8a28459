// heddle: expect=assertion budget=500
// A segment of System V, attached twice: a lock in it is the same in both, also when one of them is detached while it is held.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <sys/shm.h>

struct counter {
  pthread_mutex_t lock;
  int n;
};

static struct counter *first, *second;

static void count(struct counter* c) {
  pthread_mutex_lock(&c->lock);
  const int n = c->n;
#ifndef FIXED
  pthread_mutex_unlock(&c->lock);
  pthread_mutex_lock(&c->lock);
#endif
  c->n = n + 1;
  pthread_mutex_unlock(&c->lock);
}

static void* counts(void* unused) {
  count(second);
  return unused;
}

HEDDLE_FUZZ_TEST(segment) {
  const int segment = shmget(IPC_PRIVATE, sizeof *first, 0600);
  first = shmat(segment, NULL, 0);
  second = shmat(segment, NULL, 0);
  shmctl(segment, IPC_RMID, NULL);
  assert(first != (void*)-1 && second != (void*)-1 && first != second);
  pthread_mutex_init(&first->lock, NULL);
  pthread_t other;
  pthread_create(&other, NULL, counts, NULL);
  count(first);
  pthread_mutex_lock(&first->lock);
  shmdt(first);
  pthread_mutex_unlock(&second->lock);
  pthread_join(other, NULL);
  const int n = second->n;
  shmdt(second);
  assert(n == 2);
}
