// heddle: expect=assertion budget=10000
// Two threads both close a connection. The second one closes the next client's, which got the number meanwhile.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listener, connection;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int connect_client(const struct sockaddr_un* address, socklen_t size) {
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(client, (const struct sockaddr*)address, size) == 0);
  return client;
}

// Closes the connection, if it has not been closed.
static void drop_connection(void) {
  pthread_mutex_lock(&lock);
  const int mine = connection;
#ifdef FIXED
  connection = -1;
#endif
  pthread_mutex_unlock(&lock);
  if (mine < 0) return;
  close(mine);
#ifndef FIXED
  pthread_mutex_lock(&lock);
  connection = -1;
  pthread_mutex_unlock(&lock);
#endif
}

static void* times_out(void* unused) {
  drop_connection();
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t length = sizeof address.sun_family;  // the kernel finds a name
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr*)&address, length) == 0 && listen(listener, 2) == 0);
  length = sizeof address;
  assert(getsockname(listener, (struct sockaddr*)&address, &length) == 0);
  const int one = connect_client(&address, length), two = connect_client(&address, length);
  connection = accept(listener, NULL, NULL);
  pthread_t timer;
  pthread_create(&timer, NULL, times_out, NULL);
  drop_connection();
  const int next = accept(listener, NULL, NULL);
  pthread_join(timer, NULL);
  assert(send(next, "hello", 5, MSG_NOSIGNAL) == 5);
  close(next);
  close(one);
  close(two);
  close(listener);
  return 0;
}
