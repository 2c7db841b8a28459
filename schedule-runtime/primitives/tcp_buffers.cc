#include "primitives/tcp_buffers.h"

#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "primitives/tcp_flow.h"
#include "primitives/tcp_ports.h"

namespace heddle::rt::primitives {
namespace {

// Null: the option is another one.
int* buffer_of(Description& d, int option) {
  if (option == SO_SNDBUF || option == SO_SNDBUFFORCE) return &d.send_buffer;
  return option == SO_RCVBUF || option == SO_RCVBUFFORCE ? &d.receive_buffer : nullptr;
}

int* buffer_of(int descriptor, int option) {
  Description* const d = find_description(descriptor);
  int* const buffer = d != nullptr && d->sort == DescriptorSort::socket ? buffer_of(*d, option) : nullptr;
  return buffer != nullptr && is_tcp(descriptor) ? buffer : nullptr;
}

// What a socket would have afterwards: the kernel has limits, and doubles the size. 0: it refuses.
int given_by_kernel(int option, int size) {
  const long other = raw_syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC);
  if (other < 0) return 0;
  const auto socket = static_cast<uintptr_t>(other);
  int given = 0;
  socklen_t length = sizeof given;
  const int asked = option == SO_SNDBUFFORCE ? SO_SNDBUF : option == SO_RCVBUFFORCE ? SO_RCVBUF : option;
  if (raw_syscall(SYS_setsockopt, socket, SOL_SOCKET, word(option), word(&size), sizeof size) == 0) {
    raw_syscall(SYS_getsockopt, socket, SOL_SOCKET, word(asked), word(&given), word(&length));
  }
  raw_syscall(SYS_close, socket);
  return given;
}

}  // namespace

bool ask_for_buffer(int descriptor, int option, int size) {
  int* const buffer = buffer_of(descriptor, option);
  const int given = buffer != nullptr ? given_by_kernel(option, size) : 0;
  if (given == 0) return false;
  *buffer = given;
  settle_room(*find_description(descriptor));
  return true;
}

int buffer_asked_for(int descriptor, int option) {
  const int* const buffer = buffer_of(descriptor, option);
  return buffer != nullptr ? *buffer : 0;
}

}  // namespace heddle::rt::primitives
