#include "ticket_queue.h"

#include <stdlib.h>
#include <unistd.h>

struct options options;

void parse_options(int argc, char **argv) {
  options.workers = argc > 1 ? atoi(argv[1]) : 1;
}
