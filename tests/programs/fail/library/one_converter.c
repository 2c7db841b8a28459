// heddle: expect=data_race budget=100 options=report_races=1
// Two threads convert with one iconv descriptor, whose state belongs to the C library.
#include <iconv.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static iconv_t converter;

static void* convert(void* nothing) {
  char from[] = "text", to[16], *in = from, *out = to;
  size_t left = 4, room = sizeof to;
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  if (iconv(converter, &in, &left, &out, &room) != 0) __builtin_trap();
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t other;
  (void)data;
  (void)size;
  pthread_mutex_lock(&m);
  converter = iconv_open("UTF-8", "ISO-8859-1");
  pthread_mutex_unlock(&m);
  pthread_create(&other, NULL, convert, NULL);
  convert(NULL);
  pthread_join(other, NULL);
  iconv_close(converter);
  return 0;
}
