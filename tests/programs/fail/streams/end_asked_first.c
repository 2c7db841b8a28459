// heddle: expect=assertion budget=2000
// Two threads take lines from one stream: what one has seen to be left is read by the other.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE* work;
static long end;
__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* takes(void* nothing) {
  char line[16];
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  if (ftell(work) < end) assert(fgets(line, sizeof line, work) != NULL);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  work = tmpfile();
  fputs("the only line\n", work);
  end = ftell(work);
  rewind(work);
  pthread_t other;
  pthread_create(&other, NULL, takes, NULL);
  takes(NULL);
  pthread_join(other, NULL);
  fclose(work);
  return 0;
}
