// heddle: expect=unsupported budget=10000
// Threads of the C library's own would do it.
#include <aio.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  struct aiocb request = {.aio_fildes = -1};
#ifdef FIXED
  (void)request;
#else
  aio_read(&request);
#endif
  return 0;
}
