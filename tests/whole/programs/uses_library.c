#include <pthread.h>
#include <stddef.h>

extern void add(void), check(int);

static void* run(void* unused) {
  add();
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, run, NULL);
  pthread_create(&other, NULL, run, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  check(2);
  return 0;
}
