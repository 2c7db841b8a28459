#include <stdio.h>

int main(void) {
  printf("#define LIMIT 2\n");
  return 0;
}
