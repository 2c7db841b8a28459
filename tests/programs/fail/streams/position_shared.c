// heddle: expect=assertion budget=2000
// Two threads read records of one file through one stream: each goes to its record's place and reads there, but the place is the stream's.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE* records;
__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* reads(void* number) {
  const long n = (long)number;
  char record = 0;
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  fseek(records, n, SEEK_SET);
  const size_t got = fread(&record, 1, 1, records);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  assert(got == 1 && record == 'a' + n);
  return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  records = tmpfile();
  fputs("abc", records);
  pthread_t other;
  pthread_create(&other, NULL, reads, (void*)0);
  reads((void*)2);
  pthread_join(other, NULL);
  fclose(records);
  return 0;
}
