// heddle: expect=assertion budget=10000
// dup2 puts another log under the number of the old one, between the two halves of a record.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static int out;
static pthread_mutex_t records = PTHREAD_MUTEX_INITIALIZER;

static void* write_record(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&records);
#endif
  (void)!write(out, "head", 4);
  (void)!write(out, "body", 4);
#ifdef FIXED
  pthread_mutex_unlock(&records);
#endif
  return unused;
}

static long length_of(int end) {
  char text[16];
  fcntl(end, F_SETFL, O_NONBLOCK);
  const ssize_t n = read(end, text, sizeof text);
  close(end);
  return n < 0 ? 0 : n;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  int old[2], fresh[2];
  (void)!pipe(old);
  (void)!pipe(fresh);
  out = old[1];
  const int keeps_old = dup(out);
  pthread_t writer;
  pthread_create(&writer, NULL, write_record, NULL);
  pthread_mutex_lock(&records);
  dup2(fresh[1], out);
  pthread_mutex_unlock(&records);
  pthread_join(writer, NULL);
  assert(length_of(old[0]) != 4);
  close(fresh[0]);
  close(fresh[1]);
  close(keeps_old);
  close(out);
  return 0;
}
