// heddle: expect=data_race budget=100 options=report_races=1
// The ends of a pipe, which only the kernel writes, are looked at by a thread that may come too early.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

static void* stop(void* nothing) {
  pthread_mutex_lock(&m);
  const int end = ends[1];
  pthread_mutex_unlock(&m);
  if (end > 0) close(end);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  pthread_create(&other, NULL, stop, NULL);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  if (pipe(ends) != 0) __builtin_trap();
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  pthread_join(other, NULL);
  return 0;
}
