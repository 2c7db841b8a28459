// heddle: expect=assertion budget=2000
// A line of status in wide characters is printed in two steps, each by the C library: its reader may find the first half alone.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static wchar_t status[64];

static void* update(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const int n = swprintf(status, 64, L"jobs=%d", 3);
  swprintf(status + n, 64 - (size_t)n, L" done=%d", 3);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  wchar_t line[80];
  (void)data;
  (void)size;
  status[0] = 0;
  pthread_create(&other, NULL, update, NULL);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const int length = swprintf(line, 80, L"%ls", status);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  assert(length == 0 || length == 13);
  pthread_join(other, NULL);
  return 0;
}
