// heddle: expect=assertion budget=5000
// Wrong lock, 3 thread(s) of each kind.
#define PAIRS 3
#include "wrong_lock.h"
