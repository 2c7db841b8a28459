// Of what waits in libc one call has a shim, one has none, and one has only an interceptor of ASan's.
#include <netdb.h>
#include <sys/file.h>
#include <sys/socket.h>

int library_that_waits(int x) {
  if (x == 0) return 1;
  addrinfo* found = nullptr;
  return connect(-1, nullptr, 0) + flock(-1, LOCK_EX) + getaddrinfo("localhost", nullptr, nullptr, &found);
}
