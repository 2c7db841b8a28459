// Not instrumented: what it does with its variables is not visible to heddle.
#include <stdarg.h>

struct Large {
  long part[8];
};

static int stored;

int bare_load(void) { return stored; }
void bare_store(int value) { stored = value; }

double bare_sum(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += i % 2 == 0 ? va_arg(arguments, int) : va_arg(arguments, double);
  va_end(arguments);
  return sum;
}

struct Large bare_large(long a, long b, long c, long d, long e, long f, long g, long h) {
  return (struct Large){{a, b, c, d, e, f, g, h}};
}

long double bare_long(long double value) { return value * 2; }

// The program's function comes in between.
int bare_apply(int (*function)(int), int value) { return function(value) + 1; }
