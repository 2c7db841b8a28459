// heddle: expect=deadlock budget=5000
// 5 dining philosophers.
#define SEATS 5
#include "philosophers.h"
