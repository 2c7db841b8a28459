// Calls that the name in HEDDLE_TEST_CALL chooses, with a buffer on the heap that is too small by one if HEDDLE_TEST_BAD is set. On what the execution
// has made, and ("outside") on what was made before it.
#include <heddle/heddle.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <memory>

namespace {
constexpr size_t kSize = 16;
int outside_in, outside_out;

struct Calls {
  const char* name;
  char* buffer;
  int in, out;

  bool is(const char* what) const { return strcmp(name, what) == 0; }
  iovec part() const { return {buffer, kSize}; }

  __attribute__((noinline)) bool receives() const {
    iovec v = part();
    msghdr message = {};
    message.msg_iov = &v;
    message.msg_iovlen = 1;
    if (is("read")) return read(in, buffer, kSize) > 0;
    if (is("readv")) return readv(in, &v, 1) > 0;
    if (is("recv")) return recv(in, buffer, kSize, 0) > 0;
    if (is("recvfrom")) return recvfrom(in, buffer, kSize, 0, nullptr, nullptr) > 0;
    if (is("recvmsg")) return recvmsg(in, &message, 0) > 0;
    if (is("fread")) return fread(buffer, 1, kSize, fdopen(in, "r")) > 0;
    if (is("fgets")) return fgets(buffer, kSize, fdopen(in, "r")) != nullptr;
    return false;
  }
  __attribute__((noinline)) bool sends() const {
    iovec v = part();
    msghdr message = {};
    message.msg_iov = &v;
    message.msg_iovlen = 1;
    if (is("write")) return write(out, buffer, kSize) > 0;
    if (is("writev")) return writev(out, &v, 1) > 0;
    if (is("send")) return send(out, buffer, kSize, 0) > 0;
    if (is("sendto")) return sendto(out, buffer, kSize, 0, nullptr, 0) > 0;
    if (is("sendmsg")) return sendmsg(out, &message, 0) > 0;
    if (is("fwrite")) return fwrite(buffer, 1, kSize, fdopen(out, "w")) > 0;
    return false;
  }
  __attribute__((noinline)) bool waits() const {
    if (is("poll")) {
      pollfd* p = reinterpret_cast<pollfd*>(buffer);
      memset(p, 0, sizeof *p);
      p[0].fd = out;
      p[0].events = POLLOUT;
      return poll(p, kSize / sizeof(pollfd), -1) > 0;
    }
    if (is("epoll_wait")) {
      const int epoll = epoll_create1(0);
      epoll_event e = {};
      e.events = EPOLLOUT;
      epoll_ctl(epoll, EPOLL_CTL_ADD, out, &e);
      return epoll_wait(epoll, reinterpret_cast<epoll_event*>(buffer), 2, -1) > 0;
    }
    if (is("eventfd_read")) return eventfd_read(eventfd(1, 0), reinterpret_cast<eventfd_t*>(buffer + kSize - sizeof(eventfd_t))) == 0;
    return false;
  }
};
}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  outside_in = ends[0];
  outside_out = ends[1];
  return 0;
}

HEDDLE_FUZZ_TEST(bad_buffers) {
  int ends[2] = {outside_in, outside_out};
  if (getenv("HEDDLE_TEST_OUTSIDE") == nullptr && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  const size_t room = getenv("HEDDLE_TEST_BAD") != nullptr ? kSize - 1 : kSize + 8;
  const std::unique_ptr<char[]> buffer(new char[room]());
  const Calls calls{getenv("HEDDLE_TEST_CALL"), buffer.get(), ends[0], ends[1]};
  (void)!write(ends[1], "0123456789abcdefghijklmnopqrstuvwxyz", 36);
  if (!calls.receives() && !calls.sends() && !calls.waits()) abort();
}
