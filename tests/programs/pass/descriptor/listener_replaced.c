// heddle: expect=pass runs=2000
// While a thread waits to accept, its listener is closed, and another one gets its number. The thread accepts from the first one all the same, so its
// connection is with the first one's client.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int number;

static void* serve(void* unused) {
  const int connection = accept(number, NULL, NULL);
  if (connection < 0) {
    assert(errno == EINVAL || errno == EBADF);
    return unused;
  }
  char asked;
  if (read(connection, &asked, 1) == 1) assert(write(connection, &asked, 1) == 1);
  close(connection);
  return unused;
}

static int make_listener(struct sockaddr_un* address, socklen_t* size) {
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  address->sun_family = AF_UNIX;  // the kernel chooses the name
  assert(bind(listener, (struct sockaddr*)address, sizeof(sa_family_t)) == 0 && listen(listener, 4) == 0);
  *size = sizeof *address;
  assert(getsockname(listener, (struct sockaddr*)address, size) == 0);
  return listener;
}

HEDDLE_FUZZ_TEST(listener_replaced) {
  struct sockaddr_un first, second;
  socklen_t first_size, second_size;
  const int one = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
  number = make_listener(&first, &first_size);
  pthread_t thread;
  pthread_create(&thread, NULL, serve, NULL);
  close(number);
  assert(make_listener(&second, &second_size) == number);
  assert(connect(other, (struct sockaddr*)&second, second_size) == 0);
  // Refused, unless the thread waits there.
  if (connect(one, (struct sockaddr*)&first, first_size) == 0) {
    char answer = 0;
    assert(write(one, "1", 1) == 1 && read(one, &answer, 1) == 1 && answer == '1');
  }
  close(one);
  close(other);
  shutdown(number, SHUT_RDWR);
  close(number);
  pthread_join(thread, NULL);
}
