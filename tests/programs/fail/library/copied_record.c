// heddle: expect=assertion budget=2000
// Records are copied and cleared, some with a size known only at run time, one with a constant size. A thread that copies one meanwhile may find it half new.
#include <assert.h>
#include <pthread.h>
#include <string.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct { char name[24]; char unit[40]; } record;
static volatile size_t name_size = sizeof record.name, unit_size = sizeof record.unit;

static void* set(void* nothing) {
  const char name[sizeof record.name] = "pressure", unit[sizeof record.unit] = "pascal";
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  memcpy(record.name, name, name_size);
  memmove(record.unit, unit, unit_size);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  memset(&record, 0, name_size + unit_size);
  pthread_create(&other, NULL, set, NULL);
  char seen[sizeof record];
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  memcpy(seen, &record, sizeof seen);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  pthread_join(other, NULL);
  assert((seen[0] == 'p') == (seen[sizeof record.name] == 'p'));
  return 0;
}
