// A shared library of the program's own: built by the wrapper, too.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static char text[16] = "0";  // unprotected
static int count;            // unprotected

void add(void) {
  const int before = count;
  if (before == 0) snprintf(text, sizeof text, "%d", before + 1);
  count = before + 1;
}

void check(int wanted) {
  assert(strcmp(text, "1") == 0);
  assert(count == wanted);
}
