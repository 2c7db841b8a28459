// heddle: expect=heap-use-after-free budget=1000
// A block is moved by realloc while another thread still has its old address.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char* text;
static void* pin;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
}
static void unlock(void) {
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
}

static void* grow(void* argument) {
  lock();
  text = realloc(text, 4000);
  unlock();
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  text = malloc(24);
  pin = malloc(24);  // so that the block cannot grow where it is
  strcpy(text, "short");
  pthread_t other;
  pthread_create(&other, NULL, grow, NULL);
  lock();
  char* volatile mine = text;
  volatile char first = *mine;
  (void)first;
  unlock();
  pthread_join(other, NULL);
  free(text);
  free(pin);
  return 0;
}
