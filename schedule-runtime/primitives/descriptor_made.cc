#include "primitives/descriptor_made.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>

#include "base/raw_syscall.h"
#include "primitives/closed_number.h"
#include "primitives/descriptor.h"
#include "primitives/interruption.h"
#include "primitives/tcp_flow.h"
#include "primitives/tcp_ports.h"

namespace heddle::rt::primitives {
namespace {

bool same_port(const sockaddr_storage& a, const sockaddr* b) {
  if (a.ss_family == AF_INET && b->sa_family == AF_INET) {
    return reinterpret_cast<const sockaddr_in&>(a).sin_port == reinterpret_cast<const sockaddr_in*>(b)->sin_port;
  }
  if (a.ss_family == AF_INET6 && b->sa_family == AF_INET6) {
    return reinterpret_cast<const sockaddr_in6&>(a).sin6_port == reinterpret_cast<const sockaddr_in6*>(b)->sin6_port;
  }
  return false;
}

bool listens(int number) {
  int answer = 0;
  socklen_t length = sizeof answer;
  raw_syscall(SYS_getsockopt, word(number), SOL_SOCKET, SO_ACCEPTCONN, word(&answer), word(&length));
  return answer != 0;
}

// Port 0, or AF_UNIX without a name: the kernel finds a free one.
bool leaves_choice(const sockaddr* address, unsigned size) {
  switch (address->sa_family) {
    case AF_INET: return reinterpret_cast<const sockaddr_in*>(address)->sin_port == 0;
    case AF_INET6: return reinterpret_cast<const sockaddr_in6*>(address)->sin6_port == 0;
    case AF_UNIX: return size == sizeof address->sa_family;
    default: return false;
  }
}

// The listener at that address, if it belongs to the execution.
Description* find_listener(const sockaddr* address, unsigned size) {
  if (address == nullptr || size < sizeof address->sa_family) return nullptr;
  for (Description* d = nullptr; (d = next_description(d)) != nullptr;) {
    if (d->sort != DescriptorSort::socket) continue;
    if (!listens(d->number)) continue;
    sockaddr_storage own = {};
    socklen_t length = sizeof own;
    if (raw_syscall(SYS_getsockname, static_cast<uintptr_t>(d->number), word(&own), word(&length)) != 0) continue;
    if (own.ss_family != address->sa_family) continue;
    if (own.ss_family == AF_UNIX) {
      const char* a = reinterpret_cast<const sockaddr_un&>(own).sun_path;
      const char* b = reinterpret_cast<const sockaddr_un*>(address)->sun_path;
      const size_t most = size - offsetof(sockaddr_un, sun_path);
      const bool abstract = most != 0 && b[0] == 0;
      if (abstract ? length == size && memcmp(a, b, most) == 0 : strncmp(a, b, most) == 0) return d;
    } else if (same_port(own, address)) {
      return d;
    }
  }
  return nullptr;
}

// Streams in both directions between two sockets. `from` already has its number.
void join(Description& from, Description& to, int to_number, Place place) {
  Stream& there = add_stream(place);
  Stream& back = add_stream(place);
  write_to(from, there);
  read_from(to, there);
  write_to(to, back);
  read_from(from, back);
  if (to_number >= 0) {
    label_stream(there, "socket %d->%d", from.number, to_number);
    label_stream(back, "socket %d->%d", to_number, from.number);
  } else {
    label_stream(there, "socket %d, outward", from.number);
    label_stream(back, "socket %d, inward", from.number);
  }
}

long connect_in_time(int descriptor, const sockaddr* address, unsigned size, bool nonblocking) {
  const auto again = [&] { return raw_syscall(SYS_connect, static_cast<uintptr_t>(descriptor), word(address), size); };
  long result = again();
  if (result != -EINPROGRESS || nonblocking) return result;
  if (!ready_by_itself(descriptor, POLLOUT)) return kWaitsOutside;
  result = again();
  return result == -EISCONN ? 0 : result == -EALREADY ? kWaitsOutside : result;
}

// Until it is connected to another socket of the execution, any process may send to it, and its own messages may go to any socket.
void is_unconnected(Description& d, Place place) {
  d.outside = true;
  Stream& s = add_stream(place);
  s.known_reader = false;
  label_stream(s, "socket %d", d.number);
  read_from(d, s);
  write_to(d, s);
}

// To accept a connection and to take a number for it are two operations: one on the listener, and one on what had the number last.
long take_number_again(Description& d, int descriptor, Place place) {
  const bool closes = raw_syscall(SYS_fcntl, static_cast<uintptr_t>(descriptor), F_GETFD) == FD_CLOEXEC;
  if (!take_own_number(d, descriptor)) return descriptor;
  raw_syscall(SYS_close, static_cast<uintptr_t>(descriptor));
  const auto call = [&] { return raw_syscall(SYS_fcntl, static_cast<uintptr_t>(d.own), closes ? F_DUPFD_CLOEXEC : F_DUPFD, 0); };
  const long number = open_number(call, place);
  give_up_own_number(d);
  return number;
}

}  // namespace

void made_pipe(int reads, int writes, bool nonblocking, Place place) {
  Description& in = add_description(DescriptorSort::pipe, reads, nonblocking);
  Description& out = add_description(DescriptorSort::pipe, writes, nonblocking);
  Stream& s = add_stream(place);
  label_stream(s, "pipe %d->%d", writes, reads);
  read_from(in, s);
  write_to(out, s);
}

void made_socket_pair(int one, int other, bool nonblocking, Place place) {
  Description& a = add_description(DescriptorSort::socket, one, nonblocking);
  Description& b = add_description(DescriptorSort::socket, other, nonblocking);
  join(a, b, other, place);
}

void made_socket(int descriptor, bool nonblocking, Place place) {
  is_unconnected(add_description(DescriptorSort::socket, descriptor, nonblocking), place);
}

void made_eventfd(int descriptor, bool nonblocking, Place place) {
  Description& d = add_description(DescriptorSort::eventfd, descriptor, nonblocking);
  Stream& s = add_stream(place);
  label_stream(s, "eventfd %d", descriptor);
  read_from(d, s);
  write_to(d, s);
}

void made_epoll(int descriptor, Place place) {
  Description& d = add_description(DescriptorSort::epoll, descriptor, false);
  Stream& s = add_stream(place);
  label_stream(s, "epoll %d", descriptor);
  read_from(d, s);
}

long made_accepted(Description* half, int descriptor, bool nonblocking, Place place) {
  leave_port_free(descriptor);
  Description& d = half != nullptr ? *half : add_unnamed_description(DescriptorSort::socket, nonblocking);
  d.nonblocking = nonblocking;
  enter_description(d);
  const long number = may_be_used_late(descriptor) ? take_number_again(d, descriptor, place) : descriptor;
  if (number >= 0) {
    name_description(d, static_cast<int>(number));
    if (half == nullptr) is_unconnected(d, place);
  }
  leave_description(d);
  return number;
}

long socket_bind(int descriptor, const sockaddr* address, unsigned size) {
  const long result = bind_port(descriptor, address, size);
  Description* const d = find_description(descriptor);
  if (result == 0 && d != nullptr && !leaves_choice(address, size)) d->addressed = true;
  return result;
}

bool may_end_outside(const Description& d) { return d.outside && (d.addressed || d.sort != DescriptorSort::socket || !listens(d.number)); }

long socket_connect(int descriptor, const sockaddr* address, unsigned size, Place place) {
  Engine& e = engine();
  Description* d = find_description(descriptor);
  Description* listener = find_listener(address, size);
  const auto object = [&] { return listener != nullptr ? listener->in->object : d != nullptr && d->in != nullptr ? d->in->object : nullptr; };
  const OpSpec spec{.kind = Kind::descriptor_write, .object = object(), .place = place};
  Pending& p = e.arrive(spec);
  d = find_description(descriptor);
  if (d != nullptr) enter_description(*d);
  leave_port_free(d != nullptr ? d->number : descriptor);
  long result;
  for (;;) {
    listener = find_listener(address, size);
    Engine::settle_on(p, object());
    result = connect_in_time(d != nullptr ? d->number : descriptor, address, size, d == nullptr || d->nonblocking);
    if (result != -EAGAIN || d == nullptr || d->nonblocking) break;
    // The listener's queue is full. There is room again after an accept.
    if (listener == nullptr) {
      result = kWaitsOutside;
      break;
    }
    DescriptorWaiter w{.op = &p, .description = d, .stream = listener->in, .events = POLLOUT, .tried = listener->in->changes};
    wait_for_change(w, spec, false, false);
    if (was_interrupted()) {
      leave_description(*d);
      return -EINTR;
    }
  }
  const bool connects = result == 0 || result == -EINPROGRESS;
  e.commit(p, {.outcome = connects ? Outcome::none : Outcome::failure, .value = kWriteOfConnect, .stored = connects, .news = connects});
  if (!connects || listener == nullptr || d == nullptr || d->in == nullptr || d->in->known_reader) {
    if (d != nullptr) leave_description(*d);
    return result;
  }
  leave_stream(*d);
  Description& half = add_unnamed_description(DescriptorSort::socket, false);
  half.send_buffer = listener->send_buffer;
  half.receive_buffer = listener->receive_buffer;
  join(*d, half, -1, place);
  count_connection(*d);
  d->outside = false;
  listener->outside = false;  // its clients are threads of the execution: a wait for another client may never end
  Description** last = &listener->waiting;
  while (*last != nullptr) last = &(*last)->next_waiting;
  *last = &half;
  descriptor_changed(*listener->in);
  leave_description(*d);
  return result;
}

}  // namespace heddle::rt::primitives
