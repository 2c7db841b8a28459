// heddle: expect=deadlock budget=500
// Two jobs lock two files each, by descriptions of their own. One takes them the other way round.
#include <assert.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static char paths[2][16];

static void* job(void* first) {
#ifdef FIXED
  first = NULL;
#endif
  const int order = first != NULL;
  int files[2];
  for (int i = 0; i < 2; ++i) {
    files[i] = open(paths[(i + order) % 2], O_RDWR);
    const int locked = flock(files[i], LOCK_EX);
    assert(locked == 0);
  }
  for (int i = 0; i < 2; ++i) close(files[i]);
  return NULL;
}

HEDDLE_FUZZ_TEST(crosswise) {
  for (int i = 0; i < 2; ++i) {
    const char name[] = "locked-XXXXXX";
    for (unsigned k = 0; k < sizeof name; ++k) paths[i][k] = name[k];
    close(mkstemp(paths[i]));
  }
  pthread_t other;
  pthread_create(&other, NULL, job, NULL);
  job(paths);
  pthread_join(other, NULL);
  for (int i = 0; i < 2; ++i) unlink(paths[i]);
}
