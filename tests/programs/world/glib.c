// heddle: expect=pass runs=500
// misuse: expect=blocked_threads budget=2000 seeds=20
// GLib, Debian's library as it is: the threads of a GThreadPool take from a GAsyncQueue until it is empty. Misuse: they look at the length before
// they wait for an element, which another one can take in between. (GLib's locks are its own atomics, so they order nothing for the race detector.)
#include <assert.h>
#include <glib.h>
#include <stddef.h>
#include <stdint.h>

enum { kJobs = 3, kThreads = 2 };

static GAsyncQueue *jobs;
static GMutex lock;
static int sum;

static int *next_job(void) {
#ifdef MISUSE
  return g_async_queue_length(jobs) > 0 ? g_async_queue_pop(jobs) : NULL;
#else
  return g_async_queue_try_pop(jobs);
#endif
}

static void work(gpointer unused, gpointer user) {
  (void)unused;
  (void)user;
  for (int *job; (job = next_job()) != NULL;) {
    g_mutex_lock(&lock);
    sum += *job;
    g_mutex_unlock(&lock);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  static int values[kJobs] = {1, 2, 3};
  sum = 0;
  jobs = g_async_queue_new();
  for (int i = 0; i < kJobs; ++i) g_async_queue_push(jobs, &values[i]);
  GThreadPool *pool = g_thread_pool_new(work, NULL, kThreads, TRUE, NULL);
  for (int i = 0; i < kThreads; ++i) g_thread_pool_push(pool, &lock, NULL);
  g_thread_pool_free(pool, FALSE, TRUE);
  g_async_queue_unref(jobs);
  assert(sum == 6);
  return 0;
}
