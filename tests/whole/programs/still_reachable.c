// What it leaves on the heap is reachable to the end: from a variable, from a container that the next call adds to, from the environment, and a stream.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry* next;
  char text[16];
};

static struct entry* table[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* insert(void* number) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 4; ++i) {
    struct entry* e = calloc(1, sizeof *e);
    assert(e != NULL);
    e->next = table[i % 2];
    snprintf(e->text, sizeof e->text, "NAME%d%d=1", *(int*)number, i);
    table[i % 2] = e;
  }
  putenv(strdup(table[0]->text));
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  int numbers[2] = {1, 2};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, insert, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  FILE* stream = fmemopen(NULL, 100, "w");
  assert(stream != NULL);
  fputs("text", stream);
  assert(getenv("NAME12") != NULL && getenv("NAME22") != NULL);
#ifdef LEAK
  table[1]->next = NULL;
#endif
  return 0;
}
