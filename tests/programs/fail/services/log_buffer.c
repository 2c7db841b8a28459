// heddle: expect=assertion budget=3000
/* After Apache's bug 25520: two workers put lines into one log buffer. The place is read, the line is copied, and the length
 * is raised after that. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>

struct log {
  pthread_mutex_t mutex;
  unsigned used;
  char text[64];
};
static struct log access_log = {PTHREAD_MUTEX_INITIALIZER, 0, ""};

static void flush_log(struct log* l) { l->used = 0; }

static void log_line(struct log* l, const char* line) {
  size_t n = strlen(line);
#ifdef FIXED
  pthread_mutex_lock(&l->mutex);
#endif
  if (l->used + n > sizeof l->text) flush_log(l);
  memcpy(l->text + l->used, line, n);
  l->used += n;
#ifdef FIXED
  pthread_mutex_unlock(&l->mutex);
#endif
}

static void* worker(void* request) {
  log_line(&access_log, request);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t one, other;
  pthread_create(&one, NULL, worker, "GET /a\n");
  pthread_create(&other, NULL, worker, "GET /b\n");
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(strstr(access_log.text, "/a") && strstr(access_log.text, "/b"));
  return 0;
}
