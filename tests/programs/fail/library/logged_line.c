// heddle: expect=data_race budget=100 options=report_races=1
// A line is written to a file of outside while another thread prepares the next one in the same place.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char line[32];

static void* prepare(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  strcpy(line, "second\n");
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  strcpy(line, "first\n");
  FILE* const log = fopen("/dev/null", "w");
  pthread_create(&other, NULL, prepare, NULL);
  pthread_mutex_lock(&m);
  fputs(line, log);
  pthread_mutex_unlock(&m);
  pthread_join(other, NULL);
  fclose(log);
  return 0;
}
