#include "intercept/descriptors/transfers.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <span>
#include <utility>

#include "base/raw_syscall.h"
#include "intercept/descriptors/buffers.h"
#include "intercept/descriptors/control_data.h"
#include "intercept/own_number.h"
#include "intercept/refuse.h"
#include "primitives/descriptor_made.h"

namespace heddle::rt {
namespace {

using primitives::RawCall;
using primitives::Transfer;

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

// The message with descriptors that the call to recvmsg or read will find. 0: none.
uint64_t message_in_transit(int descriptor) {
  const primitives::Description* const d = primitives::find_description(descriptor);
  return d != nullptr ? primitives::message_in_transit(*d) : 0;
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

}  // namespace

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

long receive_message(const char* name, int descriptor, msghdr* message, int flags, Place place) {
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
    const long n = receive_message(name, descriptor, &message, flags & ~MSG_WAITALL, place);
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

}  // namespace heddle::rt
