// heddle: expect=assertion budget=500
// One of 3 setters races one checker, with plain variables.
#define SETTERS 3
#include "setters.h"
