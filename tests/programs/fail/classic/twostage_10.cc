// heddle: expect=assertion budget=10000
// Two-stage locking, 10 writers.
#define WRITERS 10
#include "twostage.h"
