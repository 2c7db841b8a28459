// heddle: expect=pass runs=1000
// A server ends as many do: the listener is shut down and closed at once, while another thread may wait to accept.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listener;

static void* accept_all(void* unused) {
  for (int fd; (fd = accept(listener, NULL, NULL)) >= 0;) close(fd);
  assert(errno == EINVAL || errno == EBADF);
  return unused;
}

HEDDLE_FUZZ_TEST(closed_listener) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};  // the kernel chooses the name
  socklen_t size = sizeof(sa_family_t);
  pthread_t thread;
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr*)&address, size) == 0 && listen(listener, 4) == 0);
  size = sizeof address;
  assert(getsockname(listener, (struct sockaddr*)&address, &size) == 0);
  pthread_create(&thread, NULL, accept_all, NULL);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(client, (struct sockaddr*)&address, size) == 0);
  shutdown(listener, SHUT_RDWR);
  close(listener);
  pthread_join(thread, NULL);
  close(client);
}
