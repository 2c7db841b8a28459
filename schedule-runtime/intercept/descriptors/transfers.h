// What read, write and similar calls do on a descriptor of the execution. They return libc's results. `name`: the call's, for messages.
// REQUIRES: the descriptor is in the table.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "engine/operation.h"

namespace heddle::rt {

long read_all(const char* name, int descriptor, const iovec* parts, int count, Place place);

// `message` is for a send: its parts are replaced by those that are not sent yet. Null: a write.
long write_all(const char* name, int descriptor, const iovec* parts, int count, const msghdr* message, int flags, Place place);
inline long send_message(const char* name, int descriptor, const msghdr* message, int flags, Place place) {
  return write_all(name, descriptor, message->msg_iov, static_cast<int>(message->msg_iovlen), message, flags, place);
}

long receive_message(const char* name, int descriptor, msghdr* message, int flags, Place place);
// MSG_WAITALL: as many operations as needed for all bytes.
long receive_from(const char* name, int descriptor, void* buffer, size_t size, int flags, sockaddr* from, socklen_t* length,
                  Place place);

long accept_one(const char* name, int descriptor, sockaddr* address, socklen_t* length, int flags, Place place);

}  // namespace heddle::rt
