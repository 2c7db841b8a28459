#include "primitives/tcp_ports.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"

namespace heddle::rt::primitives {
namespace {

// False: the socket has no such option.
template <typename T>
bool get_option(int descriptor, int level, int option, T& value) {
  socklen_t length = sizeof value;
  return raw_syscall(SYS_getsockopt, word(descriptor), word(level), word(option), word(&value), word(&length)) == 0;
}

template <typename T>
void set_option(int descriptor, int option, const T& value) {
  raw_syscall(SYS_setsockopt, word(descriptor), SOL_SOCKET, word(option), word(&value), sizeof value);
}

}  // namespace

bool is_tcp(int descriptor) {
  int protocol = 0;
  return get_option(descriptor, SOL_SOCKET, SO_PROTOCOL, protocol) && protocol == IPPROTO_TCP;
}

void leave_no_connection(int descriptor) {
  uint8_t state = 0;  // the first member of tcp_info; the rest is not asked for
  static_assert(offsetof(tcp_info, tcpi_state) == 0);
  if (get_option(descriptor, IPPROTO_TCP, TCP_INFO, state) && state == TCP_CLOSE_WAIT) set_option(descriptor, SO_LINGER, linger{1, 0});
}

void leave_port_free(int descriptor) {
  if (is_tcp(descriptor)) set_option(descriptor, SO_REUSEADDR, 1);
}

long bind_port(int descriptor, const sockaddr* address, unsigned size) {
  const auto bind = [&] { return raw_syscall(SYS_bind, word(descriptor), word(address), size); };
  const long result = bind();
  int reuses = 1;
  if (result != -EADDRINUSE || !is_tcp(descriptor) || !get_option(descriptor, SOL_SOCKET, SO_REUSEADDR, reuses) || reuses != 0) return result;
  set_option(descriptor, SO_REUSEADDR, 1);  // for good, because listen() asks for the port again
  return bind();
}

}  // namespace heddle::rt::primitives
