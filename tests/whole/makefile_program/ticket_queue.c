#include "ticket_queue.h"

static int next_ticket;

/* The bug: between the load and the store another thread may take the same one. */
int take_ticket(void) {
  const int ticket = __atomic_load_n(&next_ticket, __ATOMIC_SEQ_CST);
  __atomic_store_n(&next_ticket, ticket + 1, __ATOMIC_SEQ_CST);
  return ticket;
}

int tickets_taken(void) { return __atomic_load_n(&next_ticket, __ATOMIC_SEQ_CST); }
