// heddle: expect=assertion budget=1000
// One strcpy writes the host and its port. A reader in the middle of it finds the new host with the old port.
#include <assert.h>
#include <pthread.h>
#include <string.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char address[32];

static void* move(void* nothing) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  strcpy(address, "second.example.net:2222");
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  char seen[32];
  (void)data;
  (void)size;
  strcpy(address, "number.example.org:1111");
  pthread_create(&other, NULL, move, NULL);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  strncpy(seen, address, sizeof seen);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  assert((seen[0] == 's') == (seen[19] == '2'));
  pthread_join(other, NULL);
  return 0;
}
