// heddle: expect=assertion|heap-use-after-free budget=1000
// A sender takes its message back and frees it, unless a flag says that it is in use. The receiver sets the flag after it has got the message.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int* volatile box;
static volatile int taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* send(void* unused) {
  (void)unused;
  int* const message = malloc(sizeof *message);
  *message = 7;
  box = message;
  pthread_mutex_lock(&lock);
  if (!taken) {
    box = NULL;
    *message = 0;
    free(message);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* receive(void* unused) {
  (void)unused;
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  int* const message = box;
  if (message != NULL) {
    taken = 1;
    assert(*message == 7);
  }
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  (void)bytes, (void)size;
  box = NULL;
  taken = 0;
  pthread_t sender, receiver;
  pthread_create(&sender, NULL, send, NULL);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_join(sender, NULL);
  pthread_join(receiver, NULL);
  free(box);
  return 0;
}
