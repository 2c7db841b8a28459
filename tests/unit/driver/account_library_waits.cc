// Of what waits in libc one call has a shim, one has none, and one has only an interceptor of ASan's.
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

int library_that_waits(int x) {
  if (x == 0) return 1;
  addrinfo* found = nullptr;
  return connect(-1, nullptr, 0) + lockf(-1, F_LOCK, 0) + getaddrinfo("localhost", nullptr, nullptr, &found);
}
