// heddle: expect=data_race budget=100 options=report_races=1
// Two threads cut strings of their own into words, but strtok keeps where it is for both.
#include <pthread.h>
#include <string.h>

#ifdef FIXED
#define NEXT(text) strtok_r(text, " ", &rest)
#else
#define NEXT(text) strtok(text, " ")
#endif

static void* count(void* result) {
  char text[] = "one two three";
  char* rest = NULL;
  (void)rest;
  for (char* word = NEXT(text); word != NULL; word = NEXT(NULL)) ++*(int*)result;
  return NULL;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  int theirs = 0, ours = 0;
  (void)data;
  (void)size;
  pthread_create(&other, NULL, count, &theirs);
  count(&ours);
  pthread_join(other, NULL);
  return 0;
}
