// heddle: expect=assertion budget=2000
// The environment is that of the process at its start in each execution. A thread takes a variable away that the other one looks at twice.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char setting[] = "HEDDLE_PUT=2";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* take_away(void* unused) {
  pthread_mutex_lock(&mutex);
  unsetenv("HEDDLE_SET");
  pthread_mutex_unlock(&mutex);
  return unused;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  setenv("HEDDLE_INITIAL", "from the start", 1);
  putenv(strdup("HEDDLE_FIRST=0"));
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  pthread_t other;
  char own[32] = "HEDDLE_OWN=3";
  assert(getenv("HEDDLE_SET") == NULL && getenv("HEDDLE_PUT") == NULL && getenv("HEDDLE_OWN") == NULL && getenv("HEDDLE_HEAP") == NULL);
  assert(getenv("HEDDLE_INITIAL") != NULL && strcmp(getenv("HEDDLE_INITIAL"), "from the start") == 0);
  setenv("HEDDLE_SET", "1", 0);
  setenv("HEDDLE_INITIAL", "changed", 1);
  putenv(setting);
  setting[11] = '4';
  assert(strcmp(getenv("HEDDLE_PUT"), "4") == 0);
  putenv(own);
  putenv(strdup("HEDDLE_HEAP=5"));
  pthread_create(&other, NULL, take_away, NULL);
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  const char* const value = getenv("HEDDLE_SET");
  if (value != NULL) assert(strcmp(value, "1") == 0);
  pthread_mutex_unlock(&mutex);
#else
  const int there = getenv("HEDDLE_SET") != NULL;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  if (there) assert(getenv("HEDDLE_SET") != NULL);
  pthread_mutex_unlock(&mutex);
#endif
  pthread_join(other, NULL);
  if (size % 2 == 0) {
    char* const last = getenv("HEDDLE_HEAP") - strlen("HEDDLE_HEAP=");
    clearenv();
    free(last);
  } else {
    environ[0] = own;
  }
  return 0;
}
