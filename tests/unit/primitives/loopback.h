// Connections over the loopback interface, for bodies of controlled runs.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

namespace heddle::test {

// A listener, and its address; -1: there is no loopback interface.
inline int listen_on_loopback(sockaddr_in& address) {
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener, 4) != 0) return -1;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  return listener;
}

}  // namespace heddle::test
