// heddle: expect=deadlock budget=2000
// One thread copies from the first stream to the second, one the other way round: each holds its source and waits for the other's inside a call that
// takes the lock by itself.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE* files[2];

static void* copies(void* number) {
  const int from = (int)(long)number;
#ifdef FIXED
  flockfile(files[0]);
  flockfile(files[1]);
#else
  flockfile(files[from]);
#endif
  const int c = getc_unlocked(files[from]);
  fputc(c == EOF ? '.' : c, files[1 - from]);
#ifdef FIXED
  funlockfile(files[1]);
  funlockfile(files[0]);
#else
  funlockfile(files[from]);
#endif
  return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  for (int i = 0; i < 2; ++i) files[i] = tmpfile();
  pthread_t other;
  pthread_create(&other, NULL, copies, (void*)0);
  copies((void*)1);
  pthread_join(other, NULL);
  for (int i = 0; i < 2; ++i) fclose(files[i]);
  return 0;
}
