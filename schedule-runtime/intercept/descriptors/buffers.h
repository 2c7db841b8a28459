// The data of a call on a descriptor, and its other arguments: lists of buffers, messages, addresses.
#pragma once

#include <sys/socket.h>

#include "intercept/descriptors/descriptor_call.h"

namespace heddle::rt {

class Buffers {
 public:
  Buffers() : Buffers(nullptr, 0) {}
  Buffers(const void* buffer, size_t size) : one_{const_cast<void*>(buffer), size}, count_(1) {}
  Buffers(const iovec* parts, int count) : many_(parts), count_(count) {}
  explicit Buffers(const msghdr* message) : Buffers(message->msg_iov, static_cast<int>(message->msg_iovlen)) {
    message_ = message;
    address_ = message->msg_name;
    address_room_ = message->msg_namelen;
    address_size_ = &message->msg_namelen;
  }
  // For a send.
  Buffers(const void* buffer, size_t size, const sockaddr* to, socklen_t length) : Buffers(buffer, size) {
    address_ = to;
    address_room_ = length;
  }
  // For a receive: `length` is the available size before the call, and the real length after it.
  Buffers(const void* buffer, size_t size, const sockaddr* from, const socklen_t* length) : Buffers(buffer, size) {
    if (from == nullptr || length == nullptr) return;
    address_ = from;
    address_room_ = *length;
    address_size_ = length;
  }

  const iovec* parts() const { return many_ != nullptr ? many_ : &one_; }
  int count() const { return count_; }
  size_t size() const { return count_ > 0 ? primitives::size_of({parts(), static_cast<size_t>(count_)}) : 0; }

  // For a call on an outside descriptor. What it writes is known only after it has returned.
  void accessed_outside(size_t size, bool write, Place place) const {
    if (asked_by_program(place)) buffers_accessed(parts(), count_, size, write, place);
  }
  // The accesses outside of the buffers, before the call.
  void told(bool sends, Place place) const {
    if (plain() || !asked_by_program(place)) return;
    const LibraryAccesses reads(false, place);
    if (message_ != nullptr) reads(message_);
    else if (address_size_ != nullptr) reads(address_size_);
    if (many_ != nullptr && count_ > 0) reads(many_, [&] { return static_cast<size_t>(count_) * sizeof *many_; });
    if (!sends) return;
    if (address_ != nullptr) reads(address_, [&] { return address_room_; });
    if (message_ != nullptr && message_->msg_control != nullptr) reads(message_->msg_control, [&] { return message_->msg_controllen; });
  }
  // The same after something was received.
  void answered(Place place) const {
    if (plain() || !asked_by_program(place)) return;
    const LibraryAccesses writes(true, place);
    if (address_size_ != nullptr) {
      writes(address_size_);
      if (address_ != nullptr) writes(address_, [&] { return *address_size_ < address_room_ ? *address_size_ : address_room_; });
    }
    if (message_ == nullptr) return;
    writes(&message_->msg_controllen);
    writes(&message_->msg_flags);
    if (message_->msg_control != nullptr) writes(message_->msg_control, [&] { return message_->msg_controllen; });
  }

 private:
  bool plain() const { return many_ == nullptr && message_ == nullptr && address_ == nullptr; }

  iovec one_ = {};
  const iovec* many_ = nullptr;
  int count_;
  const msghdr* message_ = nullptr;
  const void* address_ = nullptr;
  socklen_t address_room_ = 0;
  const socklen_t* address_size_ = nullptr;  // where it is told
};

}  // namespace heddle::rt
