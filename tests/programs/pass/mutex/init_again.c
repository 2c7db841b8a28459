// heddle: expect=pass runs=1000 options=report_races=1
// A lock may be initialised again, without a destruction, once nobody uses it any more.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t guard;
static pthread_cond_t changed;
static int served;

static void* serve(void* argument) {
  pthread_mutex_lock(&guard);
  ++served;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  return argument;
}

static void* leave_it_locked(void* argument) {
  pthread_mutex_lock(&guard);
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  for (int round = 0; round < 2; ++round) {
    pthread_mutex_init(&guard, NULL);
    pthread_cond_init(&changed, NULL);
    served = 0;
    pthread_t worker;
    pthread_create(&worker, NULL, serve, NULL);
    pthread_mutex_lock(&guard);
    while (served == 0) pthread_cond_wait(&changed, &guard);
    pthread_mutex_unlock(&guard);
    pthread_join(worker, NULL);
  }
  pthread_t last;
  pthread_create(&last, NULL, leave_it_locked, NULL);
  pthread_join(last, NULL);
  pthread_mutex_init(&guard, NULL);
  pthread_mutex_lock(&guard);
  pthread_mutex_unlock(&guard);
  return 0;
}
