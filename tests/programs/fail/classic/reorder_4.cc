// heddle: expect=assertion budget=5000
// Reorder with 4 setters: no two operations of any one thread are wrong by themselves.
#define SETTERS 4
#include "reorder.h"
