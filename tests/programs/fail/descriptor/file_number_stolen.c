// heddle: expect=assertion budget=10000
// close and open are to give a known number another file. Between them, another thread opens one, which gets the number.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static pthread_mutex_t numbers = PTHREAD_MUTEX_INITIALIZER;

static void* reads_once(void* unused) {
  char byte;
  pthread_mutex_lock(&numbers);
  const int file = open("/dev/zero", O_RDONLY);
  pthread_mutex_unlock(&numbers);
  (void)!read(file, &byte, 1);
  close(file);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  const int log = open("/dev/null", O_WRONLY);
  pthread_t reads;
  pthread_create(&reads, NULL, reads_once, NULL);
  (void)!write(log, "old", 3);
#ifdef FIXED
  pthread_mutex_lock(&numbers);
#endif
  close(log);
  const int again = open("/dev/zero", O_WRONLY);
#ifdef FIXED
  pthread_mutex_unlock(&numbers);
#endif
  (void)!write(again, "new", 3);
  pthread_join(reads, NULL);
  assert(again == log);
  close(again);
  return 0;
}
