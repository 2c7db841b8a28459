// heddle: expect=assertion budget=1000
// A worker counts its work after the sleep at which it may be cancelled: sometimes the account says one piece more than was done.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static int begun, done;
static sem_t work;

static void* worker(void* unused) {
  for (;;) {
    sem_wait(&work);
#ifdef FIXED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    ++begun;
    usleep(10);
    ++done;
#ifdef FIXED
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
#endif
  }
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t thread;
  void* result;
  begun = done = 0;
  sem_init(&work, 0, 0);
  pthread_create(&thread, NULL, worker, NULL);
  for (int i = 0; i < 3; ++i) sem_post(&work);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  assert(begun == done);
  sem_destroy(&work);
  return 0;
}
