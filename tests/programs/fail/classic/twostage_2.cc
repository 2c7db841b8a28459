// heddle: expect=assertion budget=10000
// Two-stage locking, 2 writers.
#define WRITERS 2
#include "twostage.h"
