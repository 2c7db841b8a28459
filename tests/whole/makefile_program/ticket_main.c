#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#include "ticket_queue.h"

static void *work(void *unused) {
  (void)unused;
  take_ticket();
  return 0;
}

int main(int argc, char **argv) {
  pthread_t workers[8];
  parse_options(argc, argv);
  for (int i = 0; i < options.workers; ++i) pthread_create(&workers[i], 0, work, 0);
  for (int i = 0; i < options.workers; ++i) pthread_join(workers[i], 0);
  printf("%d of %d\n", tickets_taken(), options.workers);
  assert(tickets_taken() == options.workers);
  return 0;
}
