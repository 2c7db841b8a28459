// heddle: expect=data_race budget=100 options=report_races=1
// What is known of a file is looked at while another thread asks for it again; no code of the program's own writes it.
#include <pthread.h>
#include <sys/stat.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct stat known;

static void* refresh(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  if (stat("/", &known) != 0) __builtin_trap();
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  pthread_create(&other, NULL, refresh, NULL);
  pthread_mutex_lock(&m);
  const int directory = known.st_size == 0 || S_ISDIR(known.st_mode);
  pthread_mutex_unlock(&m);
  pthread_join(other, NULL);
  if (!directory) __builtin_trap();
  return 0;
}
