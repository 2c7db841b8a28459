// heddle: expect=data_race budget=100 options=report_races=1
// A level is scanned from a line of text while another thread looks at it; no code of the program's own writes it.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void* configure(void* line) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  if (sscanf(line, "level=%d", &level) != 1) __builtin_trap();
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  char line[] = "level=3";
  (void)data;
  (void)size;
  pthread_create(&other, NULL, configure, line);
  pthread_mutex_lock(&m);
  const int seen = level;
  pthread_mutex_unlock(&m);
  pthread_join(other, NULL);
  if (seen == 7) __builtin_trap();
  return 0;
}
