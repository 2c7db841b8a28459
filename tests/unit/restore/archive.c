#include "shared.h"

int heddle_test_tentative;
static int count = 41;
int heddle_test_archive(void) { return count; }
void heddle_test_bump_archive(void) { ++count; }
