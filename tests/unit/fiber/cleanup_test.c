/* Cleanup handlers of a C file that was compiled without exceptions. */
#include <pthread.h>

static void nested(void (*note)(void*), void (*leave)(void)) {
  volatile char buffer[100];
  buffer[3] = 1;
  pthread_cleanup_push(note, "inner ");
  leave();
  pthread_cleanup_pop(0);
  buffer[4] = 1;
}

void c_cleanups(void (*note)(void*), void (*leave)(void)) {
  pthread_cleanup_push(note, "popped ");
  pthread_cleanup_pop(1);
  pthread_cleanup_push(note, "outer ");
  nested(note, leave);
  pthread_cleanup_pop(0);
}
