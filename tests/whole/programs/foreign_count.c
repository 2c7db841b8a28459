/* A library that is not instrumented, and remembers. */
int count_in_library(void);
int count_in_library(void) {
  static int count;
  return ++count;
}
