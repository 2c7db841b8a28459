// heddle: expect=assertion budget=2000
// A record goes into the shared log by two calls. Each is whole, and the two are not, unless the stream is locked over both.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE* journal;

static void* appends(void* text) {
#ifdef FIXED
  flockfile(journal);
#endif
  fputs(text, journal);
  fputc('\n', journal);
#ifdef FIXED
  funlockfile(journal);
#endif
  return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  journal = tmpfile();
  pthread_t other;
  pthread_create(&other, NULL, appends, "one");
  appends("two");
  pthread_join(other, NULL);
  rewind(journal);
  char line[16];
  for (int i = 0; i < 2; ++i) {
    assert(fgets(line, sizeof line, journal) != NULL);
    assert(strcmp(line, "one\n") == 0 || strcmp(line, "two\n") == 0);
  }
  fclose(journal);
  return 0;
}
