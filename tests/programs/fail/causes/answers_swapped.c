// heddle: expect=assertion budget=500
// Two clients share a connection, and each takes the next answer for its own. The sockets' numbers were there before the
// threads: they explain nothing.
#include <heddle/heddle.h>

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static pthread_mutex_t connection = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused) {
  for (int i = 0; i < 2; ++i) {
    char question;
    assert(read(ends[1], &question, 1) == 1);
    assert(write(ends[1], &question, 1) == 1);
  }
  return unused;
}

static void *ask(void *name) {
  const char mine = (char)(uintptr_t)name;
  char answer;
  pthread_mutex_lock(&connection);
  assert(write(ends[0], &mine, 1) == 1);
#ifndef FIXED
  pthread_mutex_unlock(&connection);
  pthread_mutex_lock(&connection);
#endif
  assert(read(ends[0], &answer, 1) == 1);
  pthread_mutex_unlock(&connection);
  assert(answer == mine);
  return NULL;
}

HEDDLE_FUZZ_TEST(answers_swapped) {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_t server, one, other;
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&one, NULL, ask, (void *)(uintptr_t)'a');
  pthread_create(&other, NULL, ask, (void *)(uintptr_t)'b');
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  pthread_join(server, NULL);
  close(ends[0]);
  close(ends[1]);
}
