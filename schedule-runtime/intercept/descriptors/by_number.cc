#include "intercept/descriptors/by_number.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "intercept/descriptors/buffers.h"
#include "intercept/descriptors/transfers.h"
#include "intercept/refuse.h"
#include "primitives/tcp_flow.h"
#include "primitives/timing.h"

using namespace heddle::rt;

bool heddle::rt::descriptor_syscall(long number, const uintptr_t* a, long& result) {
  const auto descriptor = static_cast<int>(a[0]);
  const auto flags = [&](int i) { return static_cast<int>(a[i]); };
  switch (number) {
    case SYS_read: result = read(descriptor, reinterpret_cast<void*>(a[1]), a[2]); return true;
    case SYS_write: result = write(descriptor, reinterpret_cast<const void*>(a[1]), a[2]); return true;
    case SYS_readv: result = readv(descriptor, reinterpret_cast<const iovec*>(a[1]), flags(2)); return true;
    case SYS_writev: result = writev(descriptor, reinterpret_cast<const iovec*>(a[1]), flags(2)); return true;
    case SYS_close: result = close(descriptor); return true;
    case SYS_flock: result = flock(descriptor, flags(1)); return true;
    case SYS_dup: result = dup(descriptor); return true;
    case SYS_dup3: result = dup3(descriptor, flags(1), flags(2)); return true;
    case SYS_fcntl: result = fcntl(descriptor, flags(1), a[2]); return true;
    case SYS_pipe2: result = pipe2(reinterpret_cast<int*>(a[0]), flags(1)); return true;
    case SYS_eventfd2: result = eventfd(static_cast<unsigned>(a[0]), flags(1)); return true;
    case SYS_socketpair: result = socketpair(flags(0), flags(1), flags(2), reinterpret_cast<int*>(a[3])); return true;
    case SYS_signalfd4: result = signalfd(descriptor, reinterpret_cast<const sigset_t*>(a[1]), flags(3)); return true;
    case SYS_timerfd_create: result = timerfd_create(flags(0), flags(1)); return true;
    case SYS_epoll_create1: result = epoll_create1(flags(0)); return true;
    case SYS_epoll_ctl: result = epoll_ctl(descriptor, flags(1), flags(2), reinterpret_cast<epoll_event*>(a[3])); return true;
    case SYS_ppoll:
      result = ppoll(reinterpret_cast<pollfd*>(a[0]), a[1], reinterpret_cast<const timespec*>(a[2]), reinterpret_cast<const sigset_t*>(a[3]));
      return true;
    case SYS_epoll_pwait:
      result = epoll_pwait(descriptor, reinterpret_cast<epoll_event*>(a[1]), flags(2), flags(3), reinterpret_cast<const sigset_t*>(a[4]));
      return true;
#ifdef SYS_poll
    case SYS_pipe: result = pipe(reinterpret_cast<int*>(a[0])); return true;
    case SYS_dup2: result = dup2(descriptor, flags(1)); return true;
    case SYS_eventfd: result = eventfd(static_cast<unsigned>(a[0]), 0); return true;
    case SYS_poll: result = poll(reinterpret_cast<pollfd*>(a[0]), a[1], flags(2)); return true;
    case SYS_epoll_wait: result = epoll_wait(descriptor, reinterpret_cast<epoll_event*>(a[1]), flags(2), flags(3)); return true;
#endif
    default: return false;
  }
}

ssize_t heddle::rt::bytes_moved(const char* name, int one, int other, ssize_t result, Place place) {
  if (current_thread() == nullptr) return result;
  for (const int descriptor : {one, other}) {
    primitives::Description* const d = primitives::find_description(descriptor);
    if (d == nullptr) continue;
    if (result < 0 && errno == EAGAIN && !d->nonblocking) refuse(name, place, "the call would block. Use read and write");
    if (result < 0) continue;
    primitives::count_no_longer(d->in);
    primitives::count_no_longer(d->out);
    if (d->in != nullptr) primitives::descriptor_changed(*d->in);
    if (d->out != nullptr) primitives::descriptor_changed(*d->out);
  }
  return result;
}

HEDDLE_REAL_OR_ASAN(ssize_t, splice, (int, off64_t*, int, off64_t*, size_t, unsigned));
HEDDLE_SHIM ssize_t splice(int from, off64_t* from_offset, int to, off64_t* to_offset, size_t size, unsigned flags) {
  return bytes_moved("splice", from, to, real_splice(from, from_offset, to, to_offset, size, flags), HEDDLE_HERE);
}
HEDDLE_REAL_OR_ASAN(ssize_t, tee, (int, int, size_t, unsigned));
HEDDLE_SHIM ssize_t tee(int from, int to, size_t size, unsigned flags) {
  return bytes_moved("tee", from, to, real_tee(from, to, size, flags), HEDDLE_HERE);
}
HEDDLE_REAL_OR_ASAN(ssize_t, vmsplice, (int, const iovec*, size_t, unsigned));
HEDDLE_SHIM ssize_t vmsplice(int to, const iovec* parts, size_t count, unsigned flags) {
  return bytes_moved("vmsplice", to, -1, real_vmsplice(to, parts, count, flags), HEDDLE_HERE);
}
// On a descriptor of the execution: one operation for each message.
template <typename F>
static int each_message(int descriptor, mmsghdr* messages, unsigned count, Place place, F call) {
  for (unsigned i = 0; i < count; ++i) {
    errno = EBADF;
    const long size = made_here(descriptor) ? call(&messages[i].msg_hdr, i) : -1;
    if (size < 0) return i != 0 ? static_cast<int>(i) : -1;
    value_accessed(&messages[i].msg_len, true, place);
    messages[i].msg_len = static_cast<unsigned>(size);
  }
  return static_cast<int>(count);
}

HEDDLE_REAL_OR_ASAN(int, sendmmsg, (int, mmsghdr*, unsigned, int));
HEDDLE_SHIM int sendmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags) {
  const Place here = HEDDLE_HERE;
  if (made_here(descriptor)) {
    return each_message(descriptor, messages, count, here, [&](msghdr* message, unsigned) {
      Buffers(message).told(true, here);
      return send_message("sendmmsg", descriptor, message, flags, here);
    });
  }
  for (unsigned i = 0; current_thread() != nullptr && i < count; ++i) {
    const Buffers buffers(&messages[i].msg_hdr);
    buffers.told(true, here);
    buffers.accessed_outside(SIZE_MAX, false, here);
  }
  const int sent = real_sendmmsg(descriptor, messages, count, flags);
  for (int i = 0; i < sent; ++i) value_accessed(&messages[i].msg_len, true, here);
  return sent;
}
HEDDLE_REAL_OR_ASAN(int, recvmmsg, (int, mmsghdr*, unsigned, int, timespec*));
HEDDLE_SHIM int recvmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags, timespec* time) {
  const Place here = HEDDLE_HERE;
  // As in the kernel, the time limit is checked after each message, and not while the call waits for one.
  if (made_here(descriptor)) {
    const uint64_t limit = time != nullptr ? primitives::deadline_in(*time) : kNever;
    const bool one_is_enough = (flags & MSG_WAITFORONE) != 0;
    return each_message(descriptor, messages, count, here, [&](msghdr* message, unsigned i) -> long {
      if (i != 0 && limit <= engine().now()) return -1;
      const Buffers buffers(message);
      buffers.told(false, here);
      const long size = receive_message("recvmmsg", descriptor, message, (flags & ~MSG_WAITFORONE) | (i != 0 && one_is_enough ? MSG_DONTWAIT : 0), here);
      if (size >= 0) buffers.answered(here);
      return size;
    });
  }
  for (unsigned i = 0; current_thread() != nullptr && i < count; ++i) Buffers(&messages[i].msg_hdr).told(false, here);
  const auto got = static_cast<int>(real_recvmmsg(descriptor, messages, count, flags, time));
  for (int i = 0; current_thread() != nullptr && i < got; ++i) {
    const Buffers buffers(&messages[i].msg_hdr);
    value_accessed(&messages[i].msg_len, true, here);
    buffers.accessed_outside(messages[i].msg_len, true, here);
    buffers.answered(here);
  }
  return got;
}
