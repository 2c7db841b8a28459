// heddle: expect=pass runs=1000
// The shutdown of a listener wakes a thread that waits to accept: the usual end of an accepting thread. Earlier connections are still accepted.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listener, accepted;

static void* accept_all(void* unused) {
  for (int fd; (fd = accept(listener, NULL, NULL)) >= 0; ++accepted) close(fd);
  assert(errno == EINVAL);
  return unused;
}

HEDDLE_FUZZ_TEST(shutdown_listener) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};  // the kernel chooses the name
  socklen_t size = sizeof(sa_family_t);
  pthread_t thread;
  accepted = 0;
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr*)&address, size) == 0 && listen(listener, 4) == 0);
  size = sizeof address;
  assert(getsockname(listener, (struct sockaddr*)&address, &size) == 0);
  pthread_create(&thread, NULL, accept_all, NULL);
  for (int i = 0; i < 2; ++i) {
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(client, (struct sockaddr*)&address, size) == 0);
    close(client);
  }
  shutdown(listener, SHUT_RDWR);
  pthread_join(thread, NULL);
  assert(accepted <= 2);
  close(listener);
}
