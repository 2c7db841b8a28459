// poll, select, epoll_wait and similar calls. Time limits pass in virtual time. Without descriptors, these calls are sleeps.
#include <errno.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/asan.h"
#include "base/raw_syscall.h"
#include "intercept/descriptors/descriptor_call.h"
#include "intercept/wait_mask.h"
#include "primitives/interruption.h"
#include "primitives/timing.h"

using namespace heddle::rt;
using primitives::PollWait;

namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr nfds_t kMostCases = 1 << 15;  // room on the stack
constexpr short kReads = POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR;
constexpr short kWrites = POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR;
constexpr short kExcepts = POLLPRI;

uint64_t limit_of(int ms) { return ms < 0 ? kNever : engine().now() + static_cast<uint64_t>(ms) * kMillisecond; }
uint64_t limit_of(const timespec* time) { return time == nullptr ? kNever : primitives::deadline_in(*time); }
bool valid(const timespec* time) { return time == nullptr || (time->tv_sec >= 0 && primitives::valid_timespec(*time)); }

// A wait with a time limit and no descriptors. 0 or -EINTR.
long sleep_alone(uint64_t limit, Place place) {
  if (limit <= engine().now()) return primitives::yield(place), 0;
  if (primitives::signals_interrupt_again(heddle::Kind::sleep)) return -EINTR;
  if (!primitives::sleep_until(limit, place)) return -EINTR;
  return 0;
}

long wait_polled(const char* name, pollfd* fds, nfds_t count, uint64_t limit, Place place) {
  if (count == 0 && limit != kNever) return descriptor_answer(name, sleep_alone(limit, place), place);
  if (count > kMostCases) return descriptor_answer(name, -EINVAL, place);
  // The kernel is called directly, without ASan's interceptor. So the result memory is checked here.
  asan_check(fds, count * sizeof *fds, true, place.pc, place.frame);
  value_accessed(fds, false, place, count);
  pollfd* const own = static_cast<pollfd*>(__builtin_alloca((count + 1) * sizeof(pollfd)));
  for (nfds_t i = 0; i < count; ++i) own[i] = {fds[i].fd, fds[i].events, 0};
  PollWait wait{.cases = {own, count}, .limit = limit};
  const long result = primitives::descriptor_poll(wait, place);
  for (nfds_t i = 0; i < count; ++i) {
    value_accessed(&fds[i].revents, true, place);
    fds[i].revents = own[i].revents;
  }
  return descriptor_answer(name, result, place);
}

bool has(const fd_set* set, int i) { return set != nullptr && FD_ISSET(i, set); }

// Removes the descriptors that are not ready from one of select's sets. Returns the number of ready ones.
long keep_ready(fd_set* set, std::span<const pollfd> cases, short ready) {
  if (set == nullptr) return 0;
  long n = 0;
  for (const pollfd& c : cases) {
    if (!FD_ISSET(c.fd, set)) continue;
    if ((c.revents & ready) != 0) ++n;
    else FD_CLR(c.fd, set);
  }
  return n;
}

long wait_selected(const char* name, int count, fd_set* reads, fd_set* writes, fd_set* excepts, uint64_t limit, Place place) {
  if (count < 0) return descriptor_answer(name, -EINVAL, place);
  if (count > FD_SETSIZE) count = FD_SETSIZE;
  // A set is read and changed in whole words.
  const size_t words = (static_cast<size_t>(count) + 63) / 64;
  for (fd_set* set : {reads, writes, excepts}) {
    const auto* const bits = reinterpret_cast<const uint64_t*>(set);
    value_accessed(bits, false, place, words);
    value_accessed(bits, true, place, words);
  }
  pollfd own[FD_SETSIZE];
  size_t n = 0;
  for (int i = 0; i < count; ++i) {
    const int events = (has(reads, i) ? POLLIN | POLLRDNORM | POLLRDBAND : 0) | (has(writes, i) ? POLLOUT | POLLWRNORM | POLLWRBAND : 0) |
                       (has(excepts, i) ? POLLPRI : 0);
    if (events != 0) own[n++] = {i, static_cast<short>(events), 0};
  }
  const std::span<pollfd> cases{own, n};
  primitives::raw_poll(own, n);
  for (const pollfd& c : cases) {
    if ((c.revents & POLLNVAL) != 0) return descriptor_answer(name, -EBADF, place);
  }
  for (;;) {
    long result = 0;
    if (n == 0 && limit != kNever) {
      result = sleep_alone(limit, place);
    } else {
      PollWait wait{.cases = cases, .limit = limit};
      result = primitives::descriptor_poll(wait, place);
    }
    if (result < 0) return descriptor_answer(name, result, place);
    // poll reports a hang-up in any case, select does not.
    const auto asked = [&](const pollfd& c) {
      return (has(reads, c.fd) && (c.revents & kReads) != 0) || (has(writes, c.fd) && (c.revents & kWrites) != 0) ||
             (has(excepts, c.fd) && (c.revents & kExcepts) != 0);
    };
    bool any = result == 0;
    for (const pollfd& c : cases) any = any || asked(c);
    if (!any) {
      for (pollfd& c : cases) {
        if (c.revents != 0) c.fd = c.fd < 0 ? c.fd : ~c.fd;
      }
      continue;
    }
    for (pollfd& c : cases) c.fd = c.fd < 0 ? ~c.fd : c.fd;
    return keep_ready(reads, cases, kReads) + keep_ready(writes, cases, kWrites) + keep_ready(excepts, cases, kExcepts);
  }
}

long poll_epoll(const char* name, int descriptor, epoll_event* events, int capacity, uint64_t limit, Place place) {
  if (capacity > 0) asan_check(events, static_cast<size_t>(capacity) * sizeof *events, true, place.pc, place.frame);
  primitives::Description* const d = primitives::find_description(descriptor);
  const auto ask = [&] {
    return raw_syscall(SYS_epoll_pwait, static_cast<uintptr_t>(descriptor), word(events), static_cast<uintptr_t>(capacity), 0, 0, 8);
  };
  if (d == nullptr || d->sort != primitives::DescriptorSort::epoll || capacity <= 0) {
    // An outside epoll. Its list is unknown, but it is known whether an event is ready.
    const long now = ask();
    if (now != 0) return descriptor_answer(name, now, place);
    pollfd own = {descriptor, POLLIN, 0};
    PollWait wait{.cases = {&own, 1}, .limit = limit};
    const long result = primitives::descriptor_poll(wait, place);
    return descriptor_answer(name, result > 0 ? ask() : result, place);
  }
  const uint32_t count = primitives::count_registrations(*d);
  if (count > kMostCases) return descriptor_answer(name, -EINVAL, place);
  pollfd* const cases = static_cast<pollfd*>(__builtin_alloca((count + 1) * sizeof(pollfd)));
  return descriptor_answer(name, primitives::epoll_poll(*d, {cases, count}, {events, static_cast<size_t>(capacity)}, limit, place), place);
}

long wait_epoll(const char* name, int descriptor, epoll_event* events, int capacity, uint64_t limit, Place place) {
  const long n = poll_epoll(name, descriptor, events, capacity, limit, place);
  if (n > 0) value_accessed(events, true, place, static_cast<size_t>(n));
  return n;
}

timespec timespec_of(const timeval& time) { return {time.tv_sec + time.tv_usec / 1'000'000, time.tv_usec % 1'000'000 * 1000}; }

long select_for(int count, fd_set* reads, fd_set* writes, fd_set* excepts, const timeval* time, Place place) {
  if (time == nullptr) return wait_selected("select", count, reads, writes, excepts, kNever, place);
  value_accessed(time, false, place);
  if (time->tv_sec < 0 || time->tv_usec < 0) return descriptor_answer("select", -EINVAL, place);
  const timespec interval = timespec_of(*time);
  return wait_selected("select", count, reads, writes, excepts, limit_of(&interval), place);
}

template <typename Wait>
long wait_with_mask(const sigset_t* mask, uint64_t limit, Place place, Wait wait) {
  WaitMask own(mask, place);
  return own.end(wait(own.has_signal() ? engine().now() : limit));
}

}  // namespace

// `wait` is what a controlled thread does. `time` is a time limit that may be invalid.
#define HEDDLE_WAITING(result, name, parameters, arguments, time, wait)                       \
  HEDDLE_REAL_OR_ASAN(result, name, parameters);                                              \
  HEDDLE_SHIM result name parameters {                                                        \
    if (current_thread() != nullptr) {                                                        \
      const Place place = HEDDLE_HERE;                                                        \
      value_accessed<timespec>(time, false, place);                                           \
      if (!valid(time)) return static_cast<result>(descriptor_answer(#name, -EINVAL, place)); \
      return static_cast<result>(wait);                                                       \
    }                                                                                         \
    return real_##name arguments;                                                             \
  }

HEDDLE_WAITING(int, poll, (pollfd * fds, nfds_t count, int ms), (fds, count, ms), nullptr,
               wait_polled("poll", fds, count, limit_of(ms), place))
HEDDLE_WAITING(int, __poll_chk, (pollfd * fds, nfds_t count, int ms, size_t room), (fds, count, ms, room), nullptr,
               wait_polled("poll", fds, count, limit_of(ms), place))
HEDDLE_WAITING(int, ppoll, (pollfd * fds, nfds_t count, const timespec* time, const sigset_t* mask), (fds, count, time, mask), time,
               wait_with_mask(mask, limit_of(time), place, [&](uint64_t limit) { return wait_polled("ppoll", fds, count, limit, place); }))
HEDDLE_WAITING(int, __ppoll_chk, (pollfd * fds, nfds_t count, const timespec* time, const sigset_t* mask, size_t room), (fds, count, time, mask, room),
               time, wait_with_mask(mask, limit_of(time), place, [&](uint64_t limit) { return wait_polled("ppoll", fds, count, limit, place); }))
HEDDLE_WAITING(int, pselect,
               (int count, fd_set* reads, fd_set* writes, fd_set* excepts, const timespec* time, const sigset_t* mask),
               (count, reads, writes, excepts, time, mask), time,
               wait_with_mask(mask, limit_of(time), place,
                              [&](uint64_t limit) { return wait_selected("pselect", count, reads, writes, excepts, limit, place); }))
HEDDLE_WAITING(int, select, (int count, fd_set* reads, fd_set* writes, fd_set* excepts, timeval* time),
               (count, reads, writes, excepts, time), nullptr, select_for(count, reads, writes, excepts, time, place))
HEDDLE_WAITING(int, epoll_wait, (int fd, epoll_event* events, int count, int ms), (fd, events, count, ms), nullptr,
               wait_epoll("epoll_wait", fd, events, count, limit_of(ms), place))
HEDDLE_WAITING(int, epoll_pwait, (int fd, epoll_event* events, int count, int ms, const sigset_t* mask), (fd, events, count, ms, mask),
               nullptr,
               wait_with_mask(mask, limit_of(ms), place, [&](uint64_t limit) { return wait_epoll("epoll_pwait", fd, events, count, limit, place); }))
HEDDLE_WAITING(int, epoll_pwait2, (int fd, epoll_event* events, int count, const timespec* time, const sigset_t* mask),
               (fd, events, count, time, mask), time,
               wait_with_mask(mask, limit_of(time), place, [&](uint64_t limit) { return wait_epoll("epoll_pwait2", fd, events, count, limit, place); }))
