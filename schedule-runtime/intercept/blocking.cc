// Calls that wait for descriptors. A real wait would stop every controlled thread, the one that is waited for among them. So:
//   - without descriptors they are sleeps, in virtual time;
//   - what is ready now, or does not want to wait, is the kernel's;
//   - a wait with a time limit sleeps in virtual time and then asks the kernel once;
//   - a wait without one is refused.
// A call that comes back empty is a yield, so that a polling loop lets others run.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/asan.h"
#include "base/raw_syscall.h"
#include "intercept/real.h"
#include "intercept/refuse.h"
#include "primitives/timing.h"

using namespace heddle::rt;

namespace {

constexpr const char kAdvice[] =
    "nothing is ready, and a real wait would stop every controlled thread; use a time limit, or a condition variable";
constexpr uint64_t kMillisecond = 1'000'000;

// The kernel's answer as libc gives it.
long answer(long result) {
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

uint64_t deadline_in_ms(int ms) { return engine().now() + static_cast<uint64_t>(ms) * kMillisecond; }

// `ask` is the call with a time limit of zero, in raw form (-errno). kNever: no time limit; 0: at once.
template <typename Ask>
long wait_for(const char* name, bool descriptors, uint64_t deadline, const Place& place, Ask ask) {
  long result = descriptors ? ask() : 0;
  if (result != 0) return answer(result);
  if (deadline == kNever) refuse(name, place, kAdvice);
  if (deadline <= engine().now()) {
    primitives::yield(place);
    return 0;
  }
  primitives::sleep_until(deadline, place);
  return descriptors ? answer(ask()) : 0;
}

bool valid(const timespec* time) { return time == nullptr || (time->tv_sec >= 0 && primitives::valid_timespec(*time)); }

uint64_t deadline_of(const timespec* time) { return time == nullptr ? kNever : primitives::deadline_in(*time); }

long raw_poll(pollfd* fds, nfds_t count) {
  const timespec zero = {0, 0};
  return raw_syscall(SYS_ppoll, word(fds), count, word(&zero));
}

long raw_epoll(int fd, epoll_event* events, int count) {
  return raw_syscall(SYS_epoll_pwait, static_cast<uintptr_t>(fd), word(events), static_cast<uintptr_t>(count), 0, 0, 8);
}

long raw_select(int count, fd_set* read, fd_set* write, fd_set* except) {
  timespec zero = {0, 0};
  return raw_syscall(SYS_pselect6, static_cast<uintptr_t>(count), word(read), word(write), word(except), word(&zero));
}

// The kernel is asked past ASan's interceptor here, so the answer's place is checked by us.
template <typename T>
T* checked(T* out, size_t count, const Place& place) {
  asan_check(out, count * sizeof(T), true, place.pc, place.frame);
  return out;
}

// select changes its sets: the first question must not spoil those of the second.
long wait_for_sets(const char* name, int count, fd_set* read, fd_set* write, fd_set* except, uint64_t deadline, const Place& place) {
  const bool descriptors = count > 0 && (read != nullptr || write != nullptr || except != nullptr);
  fd_set* const sets[3] = {read, write, except};
  fd_set kept[3];
  if (count > FD_SETSIZE) return answer(-EINVAL);
  for (int i = 0; i < 3; ++i) {
    if (sets[i] != nullptr) kept[i] = *sets[i];
  }
  const long result = wait_for(name, descriptors, deadline, place, [&] {
    for (int i = 0; i < 3; ++i) {
      if (sets[i] != nullptr) *sets[i] = kept[i];
    }
    return raw_select(count, read, write, except);
  });
  if (result == 0 && !descriptors) {
    for (fd_set* set : sets) {
      if (set != nullptr) FD_ZERO(set);
    }
  }
  return result;
}

// Would this call on one descriptor wait? Then it is refused.
void refuse_if_blocking(const char* name, int fd, short events, int flags, const Place& place) {
  if ((flags & MSG_DONTWAIT) != 0) return;
  pollfd p = {fd, events, 0};
  if (raw_poll(&p, 1) != 0) return;
  const long status = raw_syscall(SYS_fcntl, static_cast<uintptr_t>(fd), F_GETFL);
  if (status < 0 || (status & O_NONBLOCK) != 0) return;
  refuse(name, place, kAdvice);
}

}  // namespace

// A shim that asks before it goes on, to ASan's interceptor where there is one: that one checks the buffer.
#define HEDDLE_BLOCKING(result, name, parameters, arguments, fd, events, flags)                               \
  extern "C" __attribute__((weak)) result ___interceptor_##name parameters;                                   \
  HEDDLE_SHIM result name parameters {                                                                        \
    if (current_thread() != nullptr) refuse_if_blocking(#name, fd, events, flags, HEDDLE_HERE);               \
    if (&___interceptor_##name != nullptr) return ___interceptor_##name arguments;                            \
    static constinit Real<result parameters> real{#name};                                                     \
    return real arguments;                                                                                    \
  }

HEDDLE_BLOCKING(ssize_t, read, (int fd, void* buffer, size_t size), (fd, buffer, size), fd, POLLIN, 0)
HEDDLE_BLOCKING(ssize_t, readv, (int fd, const iovec* v, int count), (fd, v, count), fd, POLLIN, 0)
HEDDLE_BLOCKING(ssize_t, write, (int fd, const void* buffer, size_t size), (fd, buffer, size), fd, POLLOUT, 0)
HEDDLE_BLOCKING(ssize_t, writev, (int fd, const iovec* v, int count), (fd, v, count), fd, POLLOUT, 0)
HEDDLE_BLOCKING(ssize_t, recv, (int fd, void* buffer, size_t size, int flags), (fd, buffer, size, flags), fd, POLLIN, flags)
HEDDLE_BLOCKING(ssize_t, recvfrom, (int fd, void* buffer, size_t size, int flags, sockaddr* from, socklen_t* length),
                (fd, buffer, size, flags, from, length), fd, POLLIN, flags)
HEDDLE_BLOCKING(ssize_t, recvmsg, (int fd, msghdr* message, int flags), (fd, message, flags), fd, POLLIN, flags)
HEDDLE_BLOCKING(ssize_t, send, (int fd, const void* buffer, size_t size, int flags), (fd, buffer, size, flags), fd, POLLOUT, flags)
HEDDLE_BLOCKING(ssize_t, sendmsg, (int fd, const msghdr* message, int flags), (fd, message, flags), fd, POLLOUT, flags)
HEDDLE_BLOCKING(int, accept, (int fd, sockaddr* address, socklen_t* length), (fd, address, length), fd, POLLIN, 0)
HEDDLE_BLOCKING(int, accept4, (int fd, sockaddr* address, socklen_t* length, int flags), (fd, address, length, flags), fd, POLLIN, 0)

// The same for the calls that wait for many: `wait` is what a controlled thread does.
#define HEDDLE_WAITING(result, name, parameters, arguments, wait)                  \
  extern "C" __attribute__((weak)) result ___interceptor_##name parameters;        \
  HEDDLE_SHIM result name parameters {                                             \
    if (current_thread() != nullptr) {                                             \
      const Place place = HEDDLE_HERE;                                             \
      return static_cast<result>(wait);                                            \
    }                                                                              \
    if (&___interceptor_##name != nullptr) return ___interceptor_##name arguments; \
    static constinit Real<result parameters> real{#name};                          \
    return real arguments;                                                         \
  }

HEDDLE_WAITING(int, poll, (pollfd * fds, nfds_t count, int ms), (fds, count, ms),
               wait_for("poll", count != 0, ms < 0 ? kNever : deadline_in_ms(ms), place,
                        [&] { return raw_poll(checked(fds, count, place), count); }))
HEDDLE_WAITING(int, ppoll, (pollfd * fds, nfds_t count, const timespec* time, const sigset_t* mask), (fds, count, time, mask),
               !valid(time) ? answer(-EINVAL)
                            : wait_for("ppoll", count != 0, deadline_of(time), place,
                                       [&] { return raw_poll(checked(fds, count, place), count); }))
HEDDLE_WAITING(int, pselect,
               (int count, fd_set* read, fd_set* write, fd_set* except, const timespec* time, const sigset_t* mask),
               (count, read, write, except, time, mask),
               !valid(time) ? answer(-EINVAL) : wait_for_sets("pselect", count, read, write, except, deadline_of(time), place))
HEDDLE_WAITING(int, select, (int count, fd_set* read, fd_set* write, fd_set* except, timeval* time),
               (count, read, write, except, time),
               time != nullptr && (time->tv_sec < 0 || time->tv_usec < 0)
                   ? answer(-EINVAL)
                   : wait_for_sets("select", count, read, write, except,
                                   time == nullptr ? kNever
                                                   : primitives::deadline_in({time->tv_sec + time->tv_usec / 1'000'000,
                                                                              time->tv_usec % 1'000'000 * 1000}),
                                   place))
HEDDLE_WAITING(int, epoll_wait, (int fd, epoll_event* events, int count, int ms), (fd, events, count, ms),
               wait_for("epoll_wait", true, ms < 0 ? kNever : deadline_in_ms(ms), place, [&] {
                 return raw_epoll(fd, count > 0 ? checked(events, static_cast<size_t>(count), place) : events, count);
               }))
HEDDLE_WAITING(int, epoll_pwait, (int fd, epoll_event* events, int count, int ms, const sigset_t* mask),
               (fd, events, count, ms, mask),
               wait_for("epoll_pwait", true, ms < 0 ? kNever : deadline_in_ms(ms), place, [&] {
                 return raw_epoll(fd, count > 0 ? checked(events, static_cast<size_t>(count), place) : events, count);
               }))
