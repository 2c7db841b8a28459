// heddle: expect=assertion budget=500
// One of 10 setters races one checker, with plain variables.
#define SETTERS 10
#include "setters.h"
