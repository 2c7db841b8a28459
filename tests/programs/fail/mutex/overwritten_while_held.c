// heddle: expect=unlock_not_locked budget=500
// The request is cleared for its next use while a worker still has its lock.
#include <heddle/heddle.h>

#include <pthread.h>
#include <string.h>

static struct {
  pthread_mutex_t mutex;
  int answer;
} request;

static void *answer(void *unused) {
  pthread_mutex_lock(&request.mutex);
  request.answer = 1;
  pthread_mutex_unlock(&request.mutex);
  return unused;
}

HEDDLE_FUZZ_TEST(overwritten_while_held) {
  pthread_t worker;
  pthread_create(&worker, NULL, answer, NULL);
#ifdef FIXED
  pthread_join(worker, NULL);
#endif
  memset(&request, 0, sizeof request);
#ifndef FIXED
  pthread_join(worker, NULL);
#endif
}
