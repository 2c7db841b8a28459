// heddle: expect=double-free budget=10
// A freed buffer is grown, in a program without a second thread.
#include <stdlib.h>

static char* buffer;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  buffer = malloc(2000);
#ifndef FIXED
  free(buffer);
#endif
  buffer = realloc(buffer, 4000);
  free(buffer);
  return 0;
}
