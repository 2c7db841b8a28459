// heddle: expect=assertion budget=3000
/* After aget: on an interruption the main thread saves how much each worker has written, so that the download can go on there.
 * A worker writes a part first, and adds it to its count afterwards. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>

enum { WORKERS = 2, PARTS = 2, PART = 4 };

struct worker {
  pthread_t thread;
  int offset;
  int written;
};
static struct worker workers[WORKERS];
static char disk[WORKERS * PARTS * PART + 1];
static int disk_used;
static int saved;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void write_part(int at, const char* part) {
  pthread_mutex_lock(&mutex);
  memcpy(disk + at, part, PART);
  disk_used += PART;
  pthread_mutex_unlock(&mutex);
}

static void* download(void* arg) {
  struct worker* w = arg;
  for (int i = 0; i < PARTS; ++i) {
    write_part(w->offset + w->written, "data");
    pthread_mutex_lock(&mutex);
    w->written += PART;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void save(void) {
  pthread_mutex_lock(&mutex);
  saved = 0;
  for (int i = 0; i < WORKERS; ++i) saved += workers[i].written;
  int used = disk_used;
  pthread_mutex_unlock(&mutex);
  assert(saved == used);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  for (int i = 0; i < WORKERS; ++i) {
    workers[i].offset = i * PARTS * PART;
    workers[i].written = 0;
    pthread_create(&workers[i].thread, NULL, download, &workers[i]);
  }
#ifndef FIXED
  save(); /* the user pressed Ctrl-C */
#endif
  for (int i = 0; i < WORKERS; ++i) pthread_join(workers[i].thread, NULL);
#ifdef FIXED
  save();
#endif
  return 0;
}
