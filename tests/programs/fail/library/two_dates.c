// heddle: expect=data_race budget=100 options=report_races=1
// Two threads ask for dates, and localtime gives both of them the same memory.
#include <pthread.h>
#include <time.h>

static void* year(void* second) {
  struct tm own;
#ifdef FIXED
  const struct tm* const date = localtime_r(second, &own);
#else
  const struct tm* const date = localtime(second);
#endif
  (void)own;
  *(time_t*)second = date->tm_year;
  return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  time_t then = 0, later = 1000000000;
  (void)data;
  (void)size;
  pthread_create(&other, NULL, year, &then);
  year(&later);
  pthread_join(other, NULL);
  return 0;
}
