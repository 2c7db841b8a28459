// heddle: expect=pass runs=200
// Names of the C library that are not the standard's are free: the program's own functions and variables are meant, by the program.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

int dup = 3;
static int warnings;

void warn(const char* format, ...) {
  (void)format;
  ++warnings;
}
char* strsep(char** text, const char* until) {
  (void)until;
  return *text + 1;
}
int getline(char* into) { return into[0] = 'x'; }

static void* run(void* argument) {
  char* text = argument;
  char line;
  warn("%s", text);
  assert(strsep(&text, ",") == text + 1);
  assert(getline(&line) == 'x');
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t thread;
  warnings = 0;
  pthread_create(&thread, 0, run, (void*)"a,b");
  pthread_join(thread, 0);
  assert(warnings == 1 && dup == 3);
  return 0;
}
