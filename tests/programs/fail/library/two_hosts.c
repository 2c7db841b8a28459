// heddle: expect=assertion budget=500
// The result of gethostbyname2 is memory that all threads share. The twin has memory of its own for each call.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

// A number needs no look-up.
static void* resolve(void* number) {
#ifdef FIXED
  struct hostent entry, *found = NULL;
  char texts[1024];
  int error = 0;
  gethostbyname2_r(number, AF_INET, &entry, texts, sizeof texts, &found, &error);
#else
  const struct hostent* const found = gethostbyname2(number, AF_INET);
#endif
  struct in_addr address;
  memcpy(&address, found->h_addr_list[0], sizeof address);
  assert(address.s_addr == inet_addr(number));
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, resolve, "127.0.0.1");
  pthread_create(&threads[1], NULL, resolve, "127.0.0.2");
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
