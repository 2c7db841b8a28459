// Descriptors made inside an execution. The kernel's descriptors are always non-blocking: see primitives/descriptor_table.h.
#include "primitives/descriptor_made.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "base/raw_syscall.h"
#include "intercept/descriptors/descriptor_call.h"
#include "intercept/descriptors/new_files.h"

using namespace heddle::rt;
using heddle::Kind;
using primitives::RawCall;
using primitives::open_number;

namespace {

void give_ends(const int* made, int* ends, Place place) {
  value_accessed(ends, true, place, 2);
  ends[0] = made[0];
  ends[1] = made[1];
}

// Of the two numbers, the lower one is the one that others may use.
template <typename F>
long open_pair(F call, const int* own, Place place) {
  long result = 0;
  primitives::open_number([&] { return (result = call()) == 0 ? own[0] : result; }, place);
  return result;
}

int make_pipe(const char* name, int* ends, int flags, Place place) {
  int own[2];
  const auto call = [&] { return raw_syscall(SYS_pipe2, word(own), word(flags | O_NONBLOCK)); };
  const long result = open_pair(call, own, place);
  if (result == 0) {
    primitives::made_pipe(own[0], own[1], (flags & O_NONBLOCK) != 0, place);
    give_ends(own, ends, place);
  }
  return static_cast<int>(descriptor_answer(name, result, place));
}

// The kernel may keep a small piece back until the peer has acknowledged an earlier one, which takes real time: up to 40 ms. For the program's
// threads, which do not wait in real time, it would be lost. An accepted socket has the option from its listener.
void send_at_once(int socket, int domain, int type) {
  constexpr int kFlags = SOCK_NONBLOCK | SOCK_CLOEXEC;
  if ((domain != AF_INET && domain != AF_INET6) || (type & ~kFlags) != SOCK_STREAM) return;
  const int on = 1;
  raw_syscall(SYS_setsockopt, word(socket), IPPROTO_TCP, TCP_NODELAY, word(&on), sizeof on);
}

int make_epoll(const char* name, int flags, Place place) {
  const long made = open_number([&] { return raw_syscall(SYS_epoll_create1, word(flags)); }, place);
  if (made >= 0) primitives::made_epoll(static_cast<int>(made), place);
  return static_cast<int>(descriptor_answer(name, made, place));
}

}  // namespace

HEDDLE_REAL_OR_ASAN(int, pipe, (int*));
HEDDLE_SHIM int pipe(int* ends) noexcept {
  return current_thread() != nullptr ? make_pipe("pipe", ends, 0, HEDDLE_HERE) : real_pipe(ends);
}

HEDDLE_REAL_OR_ASAN(int, pipe2, (int*, int));
HEDDLE_SHIM int pipe2(int* ends, int flags) noexcept {
  return current_thread() != nullptr ? make_pipe("pipe2", ends, flags, HEDDLE_HERE) : real_pipe2(ends, flags);
}

HEDDLE_REAL_OR_ASAN(int, socketpair, (int, int, int, int*));
HEDDLE_SHIM int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  if (current_thread() == nullptr) return real_socketpair(domain, type, protocol, ends);
  int own[2];
  const auto call = [&] { return raw_syscall(SYS_socketpair, word(domain), word(type | SOCK_NONBLOCK), word(protocol), word(own)); };
  const long result = open_pair(call, own, HEDDLE_HERE);
  if (result == 0) {
    primitives::made_socket_pair(own[0], own[1], (type & SOCK_NONBLOCK) != 0, HEDDLE_HERE);
    give_ends(own, ends, HEDDLE_HERE);
  }
  return static_cast<int>(descriptor_answer("socketpair", result, HEDDLE_HERE));
}

HEDDLE_REAL_OR_ASAN(int, socket, (int, int, int));
HEDDLE_SHIM int socket(int domain, int type, int protocol) noexcept {
  if (current_thread() == nullptr) return real_socket(domain, type, protocol);
  const auto call = [&] { return raw_syscall(SYS_socket, word(domain), word(type | SOCK_NONBLOCK), word(protocol)); };
  const long made = open_number(call, HEDDLE_HERE);
  if (made >= 0) {
    send_at_once(static_cast<int>(made), domain, type);
    primitives::made_socket(static_cast<int>(made), (type & SOCK_NONBLOCK) != 0, HEDDLE_HERE);
  }
  return static_cast<int>(descriptor_answer("socket", made, HEDDLE_HERE));
}

namespace {

// The file that an address of the family AF_UNIX names.
class UnixName {
 public:
  UnixName(const sockaddr* address, socklen_t size) {
    constexpr size_t kBegin = offsetof(sockaddr_un, sun_path);
    if (address == nullptr || size <= kBegin || size > sizeof(sockaddr_un) || address->sa_family != AF_UNIX) return;
    memcpy(path_, reinterpret_cast<const char*>(address) + kBegin, size - kBegin);
  }
  // Null: none, as for an abstract name.
  const char* path() const { return path_[0] != 0 ? path_ : nullptr; }

 private:
  char path_[sizeof(sockaddr_un)] = {};
};

}  // namespace

HEDDLE_REAL_OR_ASAN(int, bind, (int, const sockaddr*, socklen_t));
HEDDLE_SHIM int bind(int descriptor, const sockaddr* address, socklen_t size) noexcept {
  value_accessed(reinterpret_cast<const char*>(address), false, HEDDLE_HERE, size);
  if (!made_here(descriptor)) return real_bind(descriptor, address, size);
  const UnixName name(address, size);
  NewFile made(AT_FDCWD, name.path());
  const int answer = static_cast<int>(descriptor_answer("bind", primitives::socket_bind(descriptor, address, size), HEDDLE_HERE));
  if (answer == 0) made.made();
  return answer;
}

HEDDLE_REAL_OR_ASAN(int, connect, (int, const sockaddr*, socklen_t));
HEDDLE_SHIM int connect(int descriptor, const sockaddr* address, socklen_t size) {
  value_accessed(reinterpret_cast<const char*>(address), false, HEDDLE_HERE, size);
  if (!made_here(descriptor)) return real_connect(descriptor, address, size);
  return static_cast<int>(descriptor_answer("connect", primitives::socket_connect(descriptor, address, size, HEDDLE_HERE), HEDDLE_HERE));
}

HEDDLE_REAL_OR_ASAN(int, shutdown, (int, int));
HEDDLE_SHIM int shutdown(int descriptor, int how) noexcept {
  if (!made_here(descriptor)) return real_shutdown(descriptor, how);
  auto call = [&](int, iovec*, int) { return raw_syscall(SYS_shutdown, word(descriptor), word(how)); };
  const long result = primitives::descriptor_change(Kind::descriptor_close, descriptor, RawCall(call), HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("shutdown", result, HEDDLE_HERE));
}

HEDDLE_REAL_OR_ASAN(int, eventfd, (unsigned, int));
HEDDLE_SHIM int eventfd(unsigned count, int flags) noexcept {
  if (current_thread() == nullptr) return real_eventfd(count, flags);
  const long made = open_number([&] { return raw_syscall(SYS_eventfd2, count, word(flags | EFD_NONBLOCK)); }, HEDDLE_HERE);
  if (made >= 0) primitives::made_eventfd(static_cast<int>(made), (flags & EFD_NONBLOCK) != 0, HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("eventfd", made, HEDDLE_HERE));
}

HEDDLE_REAL_OR_ASAN(int, timerfd_create, (clockid_t, int));
HEDDLE_SHIM int timerfd_create(clockid_t clock, int flags) noexcept {
  if (current_thread() == nullptr) return real_timerfd_create(clock, flags);
  return static_cast<int>(descriptor_answer("timerfd_create", primitives::timer_create(clock, flags, HEDDLE_HERE), HEDDLE_HERE));
}

HEDDLE_REAL_OR_ASAN(int, timerfd_settime, (int, int, const itimerspec*, itimerspec*));
HEDDLE_SHIM int timerfd_settime(int descriptor, int flags, const itimerspec* value, itimerspec* old) noexcept {
  value_accessed(value, false, HEDDLE_HERE);
  if (!made_here(descriptor)) return real_timerfd_settime(descriptor, flags, value, old);
  const long result = primitives::timer_set(descriptor, flags, value, old, HEDDLE_HERE);
  if (result == 0) value_accessed(old, true, HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("timerfd_settime", result, HEDDLE_HERE));
}

HEDDLE_REAL_OR_ASAN(int, timerfd_gettime, (int, itimerspec*));
HEDDLE_SHIM int timerfd_gettime(int descriptor, itimerspec* value) noexcept {
  if (!made_here(descriptor)) return real_timerfd_gettime(descriptor, value);
  const long result = primitives::timer_get(descriptor, value, HEDDLE_HERE);
  if (result == 0) value_accessed(value, true, HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("timerfd_gettime", result, HEDDLE_HERE));
}

HEDDLE_REAL_OR_ASAN(int, epoll_create, (int));
HEDDLE_SHIM int epoll_create(int size) noexcept {
  if (current_thread() == nullptr) return real_epoll_create(size);
  if (size <= 0) return static_cast<int>(descriptor_answer("epoll_create", -EINVAL, HEDDLE_HERE));
  return make_epoll("epoll_create", 0, HEDDLE_HERE);
}

HEDDLE_REAL_OR_ASAN(int, epoll_create1, (int));
HEDDLE_SHIM int epoll_create1(int flags) noexcept {
  return current_thread() != nullptr ? make_epoll("epoll_create1", flags, HEDDLE_HERE) : real_epoll_create1(flags);
}

HEDDLE_REAL_OR_ASAN(int, epoll_ctl, (int, int, int, epoll_event*));
HEDDLE_SHIM int epoll_ctl(int epoll, int operation, int descriptor, epoll_event* event) noexcept {
  if (operation != EPOLL_CTL_DEL) value_accessed(event, false, HEDDLE_HERE);
  if (!made_here(epoll)) return real_epoll_ctl(epoll, operation, descriptor, event);
  return static_cast<int>(
      descriptor_answer("epoll_ctl", primitives::epoll_change(epoll, operation, descriptor, event, HEDDLE_HERE), HEDDLE_HERE));
}
