// heddle: expect=assertion budget=2000
// One of 100 setters races one checker.
#define SETTERS 100
#include "setters.h"
