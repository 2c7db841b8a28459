/* Aborts when the data bytes, from standard input or from the file that is its argument, say so. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  FILE *in = argc > 1 ? fopen(argv[1], "rb") : stdin;
  if (in == NULL) return 1;
  if (getc(in) == 'H' && getc(in) == 'i' && getc(in) == EOF) abort();
  return 0;
}
