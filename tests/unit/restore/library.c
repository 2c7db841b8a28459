/* Instrumented: its data belongs to the program's state. */
#include "shared.h"

static int count = 51;
int heddle_test_library(void) { return count; }
void heddle_test_bump_library(void) { ++count; }
