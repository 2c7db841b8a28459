/* Not instrumented. A pool of two threads, which start at the first use and wait for work until the process ends. */
#include <pthread.h>
#include <stdlib.h>

enum { kThreads = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static void (*body)(void*);
static void* data;
static int to_do, to_come;
static int* calls; /* on the heap since the first use */

static void* serve(void* unused) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (to_do == 0) pthread_cond_wait(&work, &lock);
    --to_do;
    pthread_mutex_unlock(&lock);
    body(data);
    pthread_mutex_lock(&lock);
    if (--to_come == 0) pthread_cond_signal(&done);
  }
  return unused;
}

void pool_start(void (*f)(void*), void* argument) {
  pthread_mutex_lock(&lock);
  if (calls == NULL) {
    calls = calloc(1, sizeof *calls);
    for (int i = 0; i < kThreads; ++i) {
      pthread_t thread;
      pthread_create(&thread, NULL, serve, NULL);
    }
  }
  ++*calls;
  body = f;
  data = argument;
  to_do = to_come = kThreads;
  pthread_cond_broadcast(&work);
  pthread_mutex_unlock(&lock);
}

void pool_wait(void) {
  pthread_mutex_lock(&lock);
  while (to_come != 0) pthread_cond_wait(&done, &lock);
  pthread_mutex_unlock(&lock);
}

int pool_calls(void) { return calls != NULL ? *calls : 0; }
