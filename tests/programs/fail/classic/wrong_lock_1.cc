// heddle: expect=assertion budget=5000
// Wrong lock, 1 thread(s) of each kind.
#define PAIRS 1
#include "wrong_lock.h"
