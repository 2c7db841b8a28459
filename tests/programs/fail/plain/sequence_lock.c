// heddle: expect=assertion budget=1000
// A sequence lock whose writer counts only when it has begun: the reader does not notice a copy that the writer still changes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct sample {
  long fields[20];
};
static struct sample shared;
static _Atomic unsigned sequence;

static void* write_sample(void* nothing) {
  struct sample next;
  for (int i = 0; i < 20; ++i) next.fields[i] = 2;
  sequence += 1;
  memcpy(&shared, &next, sizeof shared);
#ifdef FIXED
  sequence += 1;
#endif
  return nothing;
}

static void* read_sample(void* nothing) {
  struct sample seen;
  unsigned before;
  do {
    before = sequence;
    memcpy(&seen, &shared, sizeof seen);
#ifdef FIXED
  } while (before % 2 != 0 || sequence != before);
#else
  } while (sequence != before);
#endif
  for (int i = 1; i < 20; ++i) assert(seen.fields[i] == seen.fields[0]);
  return nothing;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  pthread_t writer, reader;
  (void)data;
  (void)size;
  for (int i = 0; i < 20; ++i) shared.fields[i] = 1;
  pthread_create(&writer, NULL, write_sample, NULL);
  pthread_create(&reader, NULL, read_sample, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  return 0;
}
