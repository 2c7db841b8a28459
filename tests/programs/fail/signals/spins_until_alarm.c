// heddle: expect=livelock budget=100
// Main only looks at a flag that the handler of an alarm sets, and does nothing else meanwhile. The alarm still comes. A handler that looks at
// something else first may leave the flag as it was: if the other thread has not counted by then, main looks for ever.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static volatile sig_atomic_t counted, rung;

static void on_alarm(int number) {
  (void)number;
#ifdef FIXED
  rung = 1;
#else
  if (counted) rung = 1;
#endif
}

static void* count(void* argument) {
  sleep(1);
  counted = 1;
  return argument;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  counted = rung = 0;
  pthread_t thread;
  signal(SIGALRM, on_alarm);
  alarm(1);
  pthread_create(&thread, NULL, count, NULL);
  while (!rung) {
  }
  alarm(0);
  pthread_join(thread, NULL);
  return 0;
}
