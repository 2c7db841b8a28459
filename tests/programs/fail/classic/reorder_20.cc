// heddle: expect=assertion budget=5000
// Reorder with 20 setters: no two operations of any one thread are wrong by themselves.
#define SETTERS 20
#include "reorder.h"
