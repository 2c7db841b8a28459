// read, write and similar calls. In an execution, on a descriptor that it has made, they are operations of the model. Otherwise libc does
// them, unless they would wait.
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "base/raw_syscall.h"
#include "intercept/descriptors/buffers.h"
#include "intercept/descriptors/file_call.h"
#include "intercept/descriptors/mapped_file.h"
#include "intercept/own_number.h"
#include "intercept/refuse.h"
#include "primitives/descriptor_made.h"

using namespace heddle::rt;
using heddle::Kind;
using primitives::RawCall;
using primitives::Transfer;

namespace {

constexpr int kMaxParts = 1024;  // as the kernel's

// A copy of the program's list, which may be cut. REQUIRES: at most kMaxParts.
class OwnParts {
 public:
  static size_t room(int count) { return static_cast<size_t>(count + 1) * sizeof(iovec); }
  OwnParts(const iovec* parts, int count, void* memory) : first_(static_cast<iovec*>(memory)), count_(static_cast<size_t>(count)) {
    for (size_t i = 0; i < count_; ++i) first_[i] = parts[i];
  }
  std::span<iovec> parts() const { return {first_, count_}; }

 private:
  iovec* first_;
  size_t count_;
};

bool is_socket(int descriptor) {
  const primitives::Description* d = primitives::find_description(descriptor);
  return d != nullptr && d->sort == primitives::DescriptorSort::socket;
}

// The kernel's object for a timer and for signals is an eventfd, which would accept a write.
bool is_only_read(int descriptor) {
  const primitives::Description* d = primitives::find_description(descriptor);
  return d != nullptr && (d->sort == primitives::DescriptorSort::timerfd || d->sort == primitives::DescriptorSort::signalfd);
}

long receive_raw(int descriptor, msghdr* message, int flags) {
  return raw_syscall(SYS_recvmsg, word(descriptor), word(message), static_cast<uintptr_t>(flags | MSG_DONTWAIT));
}

// The message with descriptors that the call to receive() or read() will find. 0: none.
uint64_t message_in_transit(int descriptor) {
  const primitives::Description* const d = primitives::find_description(descriptor);
  return d != nullptr ? primitives::message_in_transit(*d) : 0;
}

long read_all(const char* name, int descriptor, const iovec* parts, int count, Place place) {
  if (count < 0 || count > kMaxParts) return descriptor_answer(name, -EINVAL, place);
  const OwnParts own(parts, count, __builtin_alloca(OwnParts::room(count)));
  auto call = [&](int real, iovec* rest, int left) -> long {
    if (primitives::Description* const signals = primitives::signal_file(real)) return primitives::take_signals(*signals, rest, left);
    if (const uint64_t carrying = message_in_transit(real)) {  // only recvmsg says whether descriptors were lost
      msghdr message = {};
      message.msg_iov = rest;
      message.msg_iovlen = static_cast<size_t>(left);
      const long n = receive_raw(real, &message, 0);
      if (n >= 0 && (message.msg_flags & MSG_CTRUNC) != 0) primitives::lose_message(carrying);
      return n;
    }
    return raw_syscall(SYS_readv, word(real), word(rest), static_cast<uintptr_t>(left));
  };
  const long n = primitives::transfer({.kind = Kind::descriptor_read, .descriptor = descriptor, .call = RawCall(call), .parts = own.parts()}, place);
  if (n > 0) buffers_accessed(parts, count, static_cast<size_t>(n), true, place);
  return descriptor_answer(name, n, place);
}

// The values of type T that a message carries in its control data.
template <typename T, typename F>
void for_each_carried(msghdr* message, int type, F f) {
  for (cmsghdr* c = message->msg_controllen != 0 ? CMSG_FIRSTHDR(message) : nullptr; c != nullptr; c = CMSG_NXTHDR(message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != type) continue;
    const size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(T);
    for (size_t i = 0; i < count; ++i) f(CMSG_DATA(c) + i * sizeof(T));
  }
}

template <typename F>
void for_each_passed(msghdr* message, F f) {
  for_each_carried<int>(message, SCM_RIGHTS, [&](const unsigned char* at) {
    int descriptor;
    memcpy(&descriptor, at, sizeof descriptor);
    f(descriptor);
  });
}

// Replaces the process number of each sender that the message names. True: there is one.
bool rename_senders(msghdr* message, pid_t (*name)(pid_t)) {
  bool any = false;
  for_each_carried<ucred>(message, SCM_CREDENTIALS, [&](unsigned char* at) {
    ucred sender;
    memcpy(&sender, at, sizeof sender);
    sender.pid = name(sender.pid);
    memcpy(at, &sender, sizeof sender);
    any = true;
  });
  return any;
}

long send_raw(int descriptor, const msghdr* message, int flags) {
  msghdr own = *message;
  // The program's control data stays as it is.
  alignas(cmsghdr) unsigned char control[256];
  if (own.msg_controllen != 0 && own.msg_controllen <= sizeof control) {
    memcpy(control, own.msg_control, own.msg_controllen);
    own.msg_control = control;
    if (rename_senders(&own, number_for_kernel)) message = &own;
  }
  return raw_syscall(SYS_sendmsg, word(descriptor), word(message), static_cast<uintptr_t>(flags | MSG_DONTWAIT | MSG_NOSIGNAL));
}

void pass_all(int socket, msghdr* message) {
  const primitives::Description* const d = primitives::find_description(socket);
  if (d == nullptr || message->msg_controllen == 0) return;
  const uint64_t number = primitives::next_message();
  for_each_passed(message, [&](int passed) { primitives::pass_description(passed, *d, number); });
}

// `message` is for a send: its parts are replaced by those that are not sent yet. Null: a write.
long write_all(const char* name, int descriptor, const iovec* parts, int count, const msghdr* message, int flags, Place place) {
  if (count < 0 || count > kMaxParts) return descriptor_answer(name, -EINVAL, place);
  if (is_only_read(descriptor)) return descriptor_answer(name, -EINVAL, place);
  const OwnParts own(parts, count, __builtin_alloca(OwnParts::room(count)));
  buffers_accessed(parts, count, SIZE_MAX, false, place);
  bool goes_on = false;  // the control data was sent with the first part
  auto call = [&](int real, iovec* rest, int left) -> long {
    if (message == nullptr && !is_socket(descriptor)) {
      return raw_syscall(SYS_writev, word(real), word(rest), static_cast<uintptr_t>(left));
    }
    msghdr next = message != nullptr ? *message : msghdr{};
    next.msg_iov = rest;
    next.msg_iovlen = static_cast<size_t>(left);
    if (goes_on) next.msg_control = nullptr, next.msg_controllen = 0;
    const long sent = send_raw(real, &next, flags);
    if (sent >= 0) pass_all(descriptor, &next);
    goes_on = goes_on || sent > 0;
    return sent;
  };
  const Transfer t{.kind = Kind::descriptor_write, .descriptor = descriptor, .call = RawCall(call), .parts = own.parts(),
                   .urgent = (flags & MSG_OOB) != 0, .dont_wait = (flags & MSG_DONTWAIT) != 0, .no_signal = (flags & MSG_NOSIGNAL) != 0};
  return descriptor_answer(name, primitives::transfer_all(t, place), place);
}

long receive(const char* name, int descriptor, msghdr* message, int flags, Place place) {
  const int count = static_cast<int>(message->msg_iovlen);
  if (count < 0 || count > kMaxParts) return descriptor_answer(name, -EMSGSIZE, place);
  const OwnParts own(message->msg_iov, count, __builtin_alloca(OwnParts::room(count)));
  uint64_t carrying = 0;
  auto call = [&](int real, iovec* rest, int left) {
    carrying = message_in_transit(real);
    const auto [all, size] = std::pair(message->msg_iov, message->msg_iovlen);
    message->msg_iov = rest;
    message->msg_iovlen = static_cast<size_t>(left);
    const long got = receive_raw(real, message, flags);
    message->msg_iov = all;
    message->msg_iovlen = size;
    return got;
  };
  const size_t wanted = primitives::size_of(own.parts());
  const Transfer t{.kind = Kind::descriptor_read, .descriptor = descriptor, .call = RawCall(call), .parts = own.parts(),
                   .peeks = (flags & MSG_PEEK) != 0, .urgent = (flags & MSG_OOB) != 0, .dont_wait = (flags & MSG_DONTWAIT) != 0};
  const long n = primitives::transfer(t, place);
  if (n > 0) {
    const size_t got = static_cast<size_t>(n) < wanted ? static_cast<size_t>(n) : wanted;
    buffers_accessed(message->msg_iov, static_cast<int>(message->msg_iovlen), got, true, place);
  }
  if (n < 0) return descriptor_answer(name, n, place);
  rename_senders(message, number_for_program);
  // On a descriptor of the execution, or on an outside one.
  for_each_passed(message, [&](int passed) {
    if (primitives::receive_description(passed, (flags & MSG_PEEK) != 0)) return;
    refuse(name, place, "the kernel does not say which descriptors came with the message");
  });
  if (carrying != 0 && (message->msg_flags & MSG_CTRUNC) != 0 && (flags & MSG_PEEK) == 0) primitives::lose_message(carrying);
  return descriptor_answer(name, n, place);
}

// MSG_WAITALL: as many operations as needed for all bytes.
long receive_from(const char* name, int descriptor, void* buffer, size_t size, int flags, sockaddr* from, socklen_t* length,
                  Place place) {
  size_t got = 0;
  for (;;) {
    iovec part = {static_cast<char*>(buffer) + got, size - got};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_name = length != nullptr ? from : nullptr;
    message.msg_namelen = length != nullptr && from != nullptr ? *length : 0;
    const long n = receive(name, descriptor, &message, flags & ~MSG_WAITALL, place);
    if (n < 0) return got != 0 ? static_cast<long>(got) : n;
    if (length != nullptr) *length = message.msg_namelen;
    got += static_cast<size_t>(n);
    if ((flags & MSG_WAITALL) == 0 || (flags & MSG_PEEK) != 0 || n == 0 || got >= size) return static_cast<long>(got);
  }
}

long accept_one(const char* name, int descriptor, sockaddr* address, socklen_t* length, int flags, Place place) {
  auto call = [&](int real, iovec*, int) {
    return raw_syscall(SYS_accept4, word(real), word(address), word(length), static_cast<uintptr_t>(flags | SOCK_NONBLOCK));
  };
  primitives::Description* half = nullptr;
  long made = primitives::transfer({.kind = Kind::descriptor_read, .descriptor = descriptor, .call = RawCall(call), .accepted = &half}, place);
  if (made >= 0) made = primitives::made_accepted(half, static_cast<int>(made), (flags & SOCK_NONBLOCK) != 0, place);
  return descriptor_answer(name, made, place);
}

}  // namespace

long heddle::rt::send_message(const char* name, int descriptor, const msghdr* message, int flags, Place place) {
  return write_all(name, descriptor, message->msg_iov, static_cast<int>(message->msg_iovlen), message, flags, place);
}

long heddle::rt::receive_message(const char* name, int descriptor, msghdr* message, int flags, Place place) {
  return receive(name, descriptor, message, flags, place);
}

// `moved`: arguments that construct the buffers, which `here` uses under the name `buffers`. `here`: what a controlled thread does on a
// descriptor of the execution.
#define HEDDLE_DESCRIPTOR_CALL(result, name, parameters, arguments, fd, events, flags, moved, here) \
  HEDDLE_REAL_OR_ASAN(result, name, parameters);                                                    \
  HEDDLE_SHIM result name parameters {                                                              \
    if (current_thread() == nullptr) return real_##name arguments;                                  \
    const Place place = HEDDLE_HERE;                                                                \
    const Buffers buffers moved;                                                                    \
    const bool receives = (events) == POLLIN;                                                       \
    buffers.told(!receives, place);                                                                 \
    if (used_here(fd)) {                                                                            \
      const auto answer = static_cast<result>(here);                                                \
      if (receives && answer >= 0) buffers.answered(place);                                         \
      return answer;                                                                                \
    }                                                                                               \
    wait_outside(#name, fd, events, flags, place);                                                  \
    if (!receives) buffers.accessed_outside(SIZE_MAX, false, place);                                \
    file_call(receives ? Kind::file_read : Kind::file_write, fd, place);                            \
    file_accessed(fd, kWhereItStands, buffers.size(), !receives, place);                            \
    const result answer = file_answer(real_##name arguments);                                       \
    outside_changed();                                                                              \
    if (receives && answer > 0) buffers.accessed_outside(static_cast<size_t>(answer), true, place); \
    if (receives && answer >= 0) buffers.answered(place);                                           \
    return answer;                                                                                  \
  }

#define HEDDLE_READ_CALL(name, parameters, arguments, moved) \
  HEDDLE_DESCRIPTOR_CALL(ssize_t, name, parameters, arguments, fd, POLLIN, 0, moved, read_all(#name, fd, buffers.parts(), buffers.count(), place))
HEDDLE_READ_CALL(read, (int fd, void* buffer, size_t size), (fd, buffer, size), (buffer, size))
HEDDLE_READ_CALL(readv, (int fd, const iovec* v, int count), (fd, v, count), (v, count))
HEDDLE_READ_CALL(__read_chk, (int fd, void* buffer, size_t size, size_t room), (fd, buffer, size, room), (buffer, size <= room ? size : room))

#define HEDDLE_WRITE_CALL(name, parameters, arguments, moved)                         \
  HEDDLE_DESCRIPTOR_CALL(ssize_t, name, parameters, arguments, fd, POLLOUT, 0, moved, \
                         write_all(#name, fd, buffers.parts(), buffers.count(), nullptr, 0, place))
HEDDLE_WRITE_CALL(write, (int fd, const void* buffer, size_t size), (fd, buffer, size), (buffer, size))
HEDDLE_WRITE_CALL(writev, (int fd, const iovec* v, int count), (fd, v, count), (v, count))

HEDDLE_DESCRIPTOR_CALL(ssize_t, recv, (int fd, void* buffer, size_t size, int flags), (fd, buffer, size, flags), fd, POLLIN, flags, (buffer, size),
                       receive_from("recv", fd, buffer, size, flags, nullptr, nullptr, place))
HEDDLE_DESCRIPTOR_CALL(ssize_t, recvfrom, (int fd, void* buffer, size_t size, int flags, sockaddr* from, socklen_t* length),
                       (fd, buffer, size, flags, from, length), fd, POLLIN, flags, (buffer, size, from, length),
                       receive_from("recvfrom", fd, buffer, size, flags, from, length, place))
HEDDLE_DESCRIPTOR_CALL(ssize_t, recvmsg, (int fd, msghdr* message, int flags), (fd, message, flags), fd, POLLIN, flags, (message),
                       receive_message("recvmsg", fd, message, flags, place))
HEDDLE_DESCRIPTOR_CALL(ssize_t, send, (int fd, const void* buffer, size_t size, int flags), (fd, buffer, size, flags), fd, POLLOUT, flags,
                       (buffer, size), ({
                         const msghdr message = {};
                         write_all("send", fd, buffers.parts(), 1, &message, flags, place);
                       }))
HEDDLE_DESCRIPTOR_CALL(ssize_t, sendto,
                       (int fd, const void* buffer, size_t size, int flags, const sockaddr* to, socklen_t length),
                       (fd, buffer, size, flags, to, length), fd, POLLOUT, flags, (buffer, size, to, length), ({
                         msghdr message = {};
                         message.msg_name = const_cast<sockaddr*>(to);
                         message.msg_namelen = length;
                         write_all("sendto", fd, buffers.parts(), 1, &message, flags, place);
                       }))
HEDDLE_DESCRIPTOR_CALL(ssize_t, sendmsg, (int fd, const msghdr* message, int flags), (fd, message, flags), fd, POLLOUT, flags, (message),
                       send_message("sendmsg", fd, message, flags, place))
HEDDLE_DESCRIPTOR_CALL(int, accept, (int fd, sockaddr* address, socklen_t* length), (fd, address, length), fd, POLLIN, 0, (nullptr, 0, address, length),
                       accept_one("accept", fd, address, length, 0, place))
HEDDLE_DESCRIPTOR_CALL(int, accept4, (int fd, sockaddr* address, socklen_t* length, int flags), (fd, address, length, flags), fd, POLLIN,
                       0, (nullptr, 0, address, length), accept_one("accept4", fd, address, length, flags, place))

// Inside libc, these do not call the public read and write. The same holds for the _FORTIFY_SOURCE forms.
HEDDLE_DESCRIPTOR_CALL(int, eventfd_read, (int fd, eventfd_t* value), (fd, value), fd, POLLIN, 0, (value, sizeof *value),
                       read_all("eventfd_read", fd, buffers.parts(), 1, place) == sizeof *value ? 0 : -1)
HEDDLE_DESCRIPTOR_CALL(int, eventfd_write, (int fd, eventfd_t value), (fd, value), fd, POLLOUT, 0, (&value, sizeof value),
                       write_all("eventfd_write", fd, buffers.parts(), 1, nullptr, 0, place) == sizeof value ? 0 : -1)
HEDDLE_DESCRIPTOR_CALL(ssize_t, __recv_chk, (int fd, void* buffer, size_t size, size_t room, int flags), (fd, buffer, size, room, flags),
                       fd, POLLIN, flags, (buffer, size <= room ? size : room),
                       receive_from("recv", fd, buffer, size <= room ? size : room, flags, nullptr, nullptr, place))
HEDDLE_DESCRIPTOR_CALL(ssize_t, __recvfrom_chk,
                       (int fd, void* buffer, size_t size, size_t room, int flags, sockaddr* from, socklen_t* length),
                       (fd, buffer, size, room, flags, from, length), fd, POLLIN, flags, (buffer, size <= room ? size : room, from, length),
                       receive_from("recvfrom", fd, buffer, size <= room ? size : room, flags, from, length, place))

// Calls with a file offset. Descriptors that can wait have no offset.
#define HEDDLE_PLACED_CALL(name, parameters, arguments, writes_memory, moved)                              \
  HEDDLE_REAL_OR_ASAN(ssize_t, name, parameters);                                                          \
  HEDDLE_SHIM ssize_t name parameters {                                                                    \
    if (current_thread() == nullptr) return real_##name arguments;                                         \
    const Place place = HEDDLE_HERE;                                                                       \
    const Buffers buffers moved;                                                                           \
    buffers.told(!(writes_memory), place);                                                                 \
    if (!(writes_memory)) buffers.accessed_outside(SIZE_MAX, false, place);                                \
    file_call((writes_memory) ? Kind::file_read : Kind::file_write, fd, place);                            \
    file_accessed(fd, at, buffers.size(), !(writes_memory), place);                                        \
    const ssize_t answer = file_answer(real_##name arguments);                                             \
    if ((writes_memory) && answer > 0) buffers.accessed_outside(static_cast<size_t>(answer), true, place); \
    return answer;                                                                                         \
  }
HEDDLE_PLACED_CALL(pread, (int fd, void* buffer, size_t size, off_t at), (fd, buffer, size, at), true, (buffer, size))
HEDDLE_PLACED_CALL(pread64, (int fd, void* buffer, size_t size, off64_t at), (fd, buffer, size, at), true, (buffer, size))
HEDDLE_PLACED_CALL(__pread_chk, (int fd, void* buffer, size_t size, off_t at, size_t room), (fd, buffer, size, at, room), true, (buffer, size <= room ? size : room))
HEDDLE_PLACED_CALL(__pread64_chk, (int fd, void* buffer, size_t size, off64_t at, size_t room), (fd, buffer, size, at, room), true, (buffer, size <= room ? size : room))
HEDDLE_PLACED_CALL(preadv, (int fd, const iovec* v, int count, off_t at), (fd, v, count, at), true, (v, count))
HEDDLE_PLACED_CALL(preadv64, (int fd, const iovec* v, int count, off64_t at), (fd, v, count, at), true, (v, count))
HEDDLE_PLACED_CALL(pwrite, (int fd, const void* buffer, size_t size, off_t at), (fd, buffer, size, at), false, (buffer, size))
HEDDLE_PLACED_CALL(pwrite64, (int fd, const void* buffer, size_t size, off64_t at), (fd, buffer, size, at), false, (buffer, size))
HEDDLE_PLACED_CALL(pwritev, (int fd, const iovec* v, int count, off_t at), (fd, v, count, at), false, (v, count))
HEDDLE_PLACED_CALL(pwritev64, (int fd, const iovec* v, int count, off64_t at), (fd, v, count, at), false, (v, count))
