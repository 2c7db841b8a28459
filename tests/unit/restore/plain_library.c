/* Not instrumented: its data belongs to the program's state as well. */
#include "shared.h"

static int count = 81;
static int zero;
int heddle_test_bare_library(void) { return count + zero; }
void heddle_test_bump_bare_library(void) { ++count, ++zero; }
