// heddle: expect=assertion budget=500
// One of 100 setters races one checker, with plain variables.
#define SETTERS 100
#include "setters.h"
