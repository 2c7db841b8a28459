// heddle: expect=data-race budget=10000 options=report_races=1
// A word that assembly changes and that is read as volatile, as in libuv's wake-ups: no data race. The word orders the plain variable next to it only if that is
// written before.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int pending, message, received;

static int exchange(int* p, int value) {
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*p) : : "memory");
  return value;
}

static void* send(void* unused) {
#ifdef FIXED
  message = 1;
#endif
  if (*(volatile int*)&pending == 0) exchange(&pending, 1);
#ifndef FIXED
  message = 1;
#endif
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t sender;
  pending = message = 0;
  pthread_create(&sender, NULL, &send, NULL);
  if (*(volatile int*)&pending != 0 && exchange(&pending, 0) == 1) received += message;
  pthread_join(sender, NULL);
  return 0;
}
