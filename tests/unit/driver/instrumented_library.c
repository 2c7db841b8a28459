/* Instrumented. What it does with memory is the program's: its constructor's block is put back, and the C library's functions access memory for it. */
#include <stdlib.h>
#include <string.h>

static char* table;
static int used, room = 8;
static char text[16];

__attribute__((constructor)) static void start(void) { table = malloc((size_t)room); }

void library_add(char c) {
  if (used == room) table = realloc(table, (size_t)(room *= 2));
  table[used++] = c;
}
int library_used(void) { return used; }
void library_set(const char* s) { memcpy(text, s, strlen(s) + 1); }
int library_length(void) { return (int)strlen(text); /* reads */ }
