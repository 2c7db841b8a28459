// heddle: expect=assertion budget=5000
// Reorder with 10 setters: no two operations of any one thread are wrong by themselves.
#define SETTERS 10
#include "reorder.h"
