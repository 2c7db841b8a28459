// heddle: expect=assertion budget=2000
// One of 3 setters races one checker.
#define SETTERS 3
#include "setters.h"
