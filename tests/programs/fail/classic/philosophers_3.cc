// heddle: expect=deadlock budget=5000
// 3 dining philosophers.
#define SEATS 3
#include "philosophers.h"
