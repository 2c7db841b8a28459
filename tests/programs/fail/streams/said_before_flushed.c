// heddle: expect=assertion budget=2000
// "It is written", says the flag; but it is in the stream's buffer, and in the file when the stream is closed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];
static atomic_int written;

static void* writes(void* nothing) {
  FILE* const file = fopen(path, "w");
  fprintf(file, "answer=%d\n", 42);
#ifdef FIXED
  fflush(file);
#endif
  atomic_store(&written, 1);
  fclose(file);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  atomic_store(&written, 0);
  snprintf(path, sizeof path, "said-before-flushed-%d", (int)getpid());
  pthread_t other;
  pthread_create(&other, NULL, writes, NULL);
  if (atomic_load(&written)) {
    char line[64] = "";
    FILE* const file = fopen(path, "r");
    const char* const read = fgets(line, sizeof line, file);
    fclose(file);
    assert(read != NULL && strcmp(line, "answer=42\n") == 0);
  }
  pthread_join(other, NULL);
  unlink(path);
  return 0;
}
