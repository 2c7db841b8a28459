// heddle: expect=assertion budget=2000
// The groups of a match are shared: another thread's match may come between a match and the look at its groups.
#include <assert.h>
#include <pthread.h>
#include <regex.h>

__attribute__((unused)) static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static regex_t expression;
static regmatch_t groups[2];

static int value_at(const char* line) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  const int found = regexec(&expression, line, 2, groups, 0) == 0;
  const int at = found ? groups[1].rm_so : -1;
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return at;
}

static void* longer(void* nothing) {
  assert(value_at("pressure=1013") == 9);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  if (regcomp(&expression, "=([0-9]+)", REG_EXTENDED) != 0) __builtin_trap();
  pthread_create(&other, NULL, longer, NULL);
  assert(value_at("level=3") == 6);
  pthread_join(other, NULL);
  regfree(&expression);
  return 0;
}
