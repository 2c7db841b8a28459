// heddle: expect=blocked_threads budget=3000
/* After ffmpeg's frame threads: a thread that decodes a frame waits until its reference frame has been decoded so far. If the
 * reference frame is damaged, its thread leaves early and does not report the rest. */
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>

enum { ROWS = 3 };

struct frame {
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  int rows;
};
struct decoder {
  struct frame frames[2];
  pthread_mutex_t mutex;
  bool skip; /* the stream was seeked: what is left of a frame need not be decoded */
};
static struct decoder d;

static void report(struct frame* f, int rows) {
  pthread_mutex_lock(&f->mutex);
  f->rows = rows;
  pthread_cond_broadcast(&f->cond);
  pthread_mutex_unlock(&f->mutex);
}
static void await(struct frame* f, int rows) {
  pthread_mutex_lock(&f->mutex);
  while (f->rows < rows) pthread_cond_wait(&f->cond, &f->mutex);
  pthread_mutex_unlock(&f->mutex);
}
static bool skipped(void) {
  pthread_mutex_lock(&d.mutex);
  bool is = d.skip;
  pthread_mutex_unlock(&d.mutex);
  return is;
}

static void* decode(void* arg) {
  struct frame* f = arg;
  for (int row = 1; row <= ROWS; ++row) {
    if (skipped()) {
#ifdef FIXED
      report(f, ROWS);
#endif
      return NULL;
    }
    if (f != d.frames) await(f - 1, row);
    report(f, row);
  }
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_mutex_init(&d.mutex, NULL);
  d.skip = false;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    d.frames[i].rows = 0;
    pthread_mutex_init(&d.frames[i].mutex, NULL);
    pthread_cond_init(&d.frames[i].cond, NULL);
  }
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, decode, &d.frames[i]);
  pthread_mutex_lock(&d.mutex);
  d.skip = true;
  pthread_mutex_unlock(&d.mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
