// Descriptors made inside an execution. The kernel's are non-blocking whatever was asked for: see primitives/descriptor_table.h.
#include "primitives/descriptor_made.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "intercept/descriptor_shim.h"

using namespace heddle::rt;
using heddle::Kind;
using primitives::RawCall;

namespace {

uintptr_t number(int value) { return static_cast<uintptr_t>(static_cast<unsigned>(value)); }

int make_pipe(const char* name, int* ends, int flags, const Place& place) {
  const long result = raw_syscall(SYS_pipe2, word(ends), number(flags | O_NONBLOCK));
  if (result == 0) primitives::made_pipe(ends[0], ends[1], (flags & O_NONBLOCK) != 0, place);
  return static_cast<int>(descriptor_answer(name, result, place));
}

int make_epoll(const char* name, int flags, const Place& place) {
  const long made = raw_syscall(SYS_epoll_create1, number(flags));
  if (made >= 0) primitives::made_epoll(static_cast<int>(made), place);
  return static_cast<int>(descriptor_answer(name, made, place));
}

}  // namespace

HEDDLE_PASSES(int, pipe, (int*));
HEDDLE_SHIM int pipe(int* ends) noexcept {
  return current_thread() != nullptr ? make_pipe("pipe", ends, 0, HEDDLE_HERE) : HEDDLE_PASS(pipe, ends);
}

HEDDLE_PASSES(int, pipe2, (int*, int));
HEDDLE_SHIM int pipe2(int* ends, int flags) noexcept {
  return current_thread() != nullptr ? make_pipe("pipe2", ends, flags, HEDDLE_HERE) : HEDDLE_PASS(pipe2, ends, flags);
}

HEDDLE_PASSES(int, socketpair, (int, int, int, int*));
HEDDLE_SHIM int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  if (current_thread() == nullptr) return HEDDLE_PASS(socketpair, domain, type, protocol, ends);
  const long result = raw_syscall(SYS_socketpair, number(domain), number(type | SOCK_NONBLOCK), number(protocol), word(ends));
  if (result == 0) primitives::made_socket_pair(ends[0], ends[1], (type & SOCK_NONBLOCK) != 0, HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("socketpair", result, HEDDLE_HERE));
}

HEDDLE_PASSES(int, socket, (int, int, int));
HEDDLE_SHIM int socket(int domain, int type, int protocol) noexcept {
  if (current_thread() == nullptr) return HEDDLE_PASS(socket, domain, type, protocol);
  const long made = raw_syscall(SYS_socket, number(domain), number(type | SOCK_NONBLOCK), number(protocol));
  if (made >= 0) primitives::made_socket(static_cast<int>(made), (type & SOCK_NONBLOCK) != 0, HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("socket", made, HEDDLE_HERE));
}

HEDDLE_PASSES(int, connect, (int, const sockaddr*, socklen_t));
HEDDLE_SHIM int connect(int descriptor, const sockaddr* address, socklen_t size) {
  if (!made_here(descriptor)) return HEDDLE_PASS(connect, descriptor, address, size);
  return static_cast<int>(descriptor_answer("connect", primitives::socket_connect(descriptor, address, size, HEDDLE_HERE), HEDDLE_HERE));
}

HEDDLE_PASSES(int, shutdown, (int, int));
HEDDLE_SHIM int shutdown(int descriptor, int how) noexcept {
  if (!made_here(descriptor)) return HEDDLE_PASS(shutdown, descriptor, how);
  auto call = [&](int, iovec*, int) { return raw_syscall(SYS_shutdown, number(descriptor), number(how)); };
  const long result = primitives::descriptor_change(Kind::descriptor_close, descriptor, RawCall(call), HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("shutdown", result, HEDDLE_HERE));
}

HEDDLE_PASSES(int, eventfd, (unsigned, int));
HEDDLE_SHIM int eventfd(unsigned count, int flags) noexcept {
  if (current_thread() == nullptr) return HEDDLE_PASS(eventfd, count, flags);
  const long made = raw_syscall(SYS_eventfd2, count, number(flags | EFD_NONBLOCK));
  if (made >= 0) primitives::made_eventfd(static_cast<int>(made), (flags & EFD_NONBLOCK) != 0, HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("eventfd", made, HEDDLE_HERE));
}

HEDDLE_PASSES(int, timerfd_create, (clockid_t, int));
HEDDLE_SHIM int timerfd_create(clockid_t clock, int flags) noexcept {
  if (current_thread() == nullptr) return HEDDLE_PASS(timerfd_create, clock, flags);
  return static_cast<int>(descriptor_answer("timerfd_create", primitives::timer_create(clock, flags, HEDDLE_HERE), HEDDLE_HERE));
}

HEDDLE_PASSES(int, timerfd_settime, (int, int, const itimerspec*, itimerspec*));
HEDDLE_SHIM int timerfd_settime(int descriptor, int flags, const itimerspec* value, itimerspec* old) noexcept {
  if (!made_here(descriptor)) return HEDDLE_PASS(timerfd_settime, descriptor, flags, value, old);
  return static_cast<int>(
      descriptor_answer("timerfd_settime", primitives::timer_set(descriptor, flags, value, old, HEDDLE_HERE), HEDDLE_HERE));
}

HEDDLE_PASSES(int, timerfd_gettime, (int, itimerspec*));
HEDDLE_SHIM int timerfd_gettime(int descriptor, itimerspec* value) noexcept {
  if (!made_here(descriptor)) return HEDDLE_PASS(timerfd_gettime, descriptor, value);
  return static_cast<int>(descriptor_answer("timerfd_gettime", primitives::timer_get(descriptor, value, HEDDLE_HERE), HEDDLE_HERE));
}

HEDDLE_PASSES(int, epoll_create, (int));
HEDDLE_SHIM int epoll_create(int size) noexcept {
  if (current_thread() == nullptr) return HEDDLE_PASS(epoll_create, size);
  if (size <= 0) return static_cast<int>(descriptor_answer("epoll_create", -EINVAL, HEDDLE_HERE));
  return make_epoll("epoll_create", 0, HEDDLE_HERE);
}

HEDDLE_PASSES(int, epoll_create1, (int));
HEDDLE_SHIM int epoll_create1(int flags) noexcept {
  return current_thread() != nullptr ? make_epoll("epoll_create1", flags, HEDDLE_HERE) : HEDDLE_PASS(epoll_create1, flags);
}

HEDDLE_PASSES(int, epoll_ctl, (int, int, int, epoll_event*));
HEDDLE_SHIM int epoll_ctl(int epoll, int operation, int descriptor, epoll_event* event) noexcept {
  if (!made_here(epoll)) return HEDDLE_PASS(epoll_ctl, epoll, operation, descriptor, event);
  return static_cast<int>(
      descriptor_answer("epoll_ctl", primitives::epoll_change(epoll, operation, descriptor, event, HEDDLE_HERE), HEDDLE_HERE));
}
