// heddle: expect=heap-use-after-free budget=2000
// The log is closed while a thread may still write to it: the stream is gone then, with the lock inside it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE* journal;

static void* writes(void* nothing) {
  fprintf(journal, "begins\n");
  fprintf(journal, "ends\n");
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  char path[] = "journal-XXXXXX";
  journal = fdopen(mkstemp(path), "w");
  unlink(path);
  pthread_t other;
  pthread_create(&other, NULL, writes, NULL);
#ifdef FIXED
  pthread_join(other, NULL);
#endif
  fclose(journal);
#ifndef FIXED
  pthread_join(other, NULL);
#endif
  return 0;
}
