// heddle: expect=double-free budget=10
// Two pointers to one buffer, in a program without a second thread.
#include <stdlib.h>

static char* buffer;
static char* view;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  (void)data;
  (void)size;
  buffer = malloc(2000);
  view = buffer;
  free(buffer);
#ifndef FIXED
  free(view);
#endif
  return 0;
}
