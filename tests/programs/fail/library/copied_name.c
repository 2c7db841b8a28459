// heddle: expect=data_race budget=200 options=report_races=1
// A name is copied by the C library while another thread prints it; no code of the program's own touches its bytes.
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char name[32] = "nobody";
static char seen[32];

static void* rename_it(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  strcpy(name, "somebody else");
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  pthread_create(&other, NULL, rename_it, NULL);
  pthread_mutex_lock(&m);
  strncpy(seen, name, sizeof seen - 1);
  pthread_mutex_unlock(&m);
  pthread_join(other, NULL);
  return 0;
}
