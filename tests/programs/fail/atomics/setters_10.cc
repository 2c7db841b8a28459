// heddle: expect=assertion budget=2000
// One of 10 setters races one checker.
#define SETTERS 10
#include "setters.h"
