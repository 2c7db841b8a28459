// read, write and similar calls. In an execution, on a descriptor that it has made, they are operations of the model (transfers.h). Otherwise
// libc does them, unless they would wait.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "intercept/descriptors/buffers.h"
#include "intercept/descriptors/file_call.h"
#include "intercept/descriptors/mapped_file.h"
#include "intercept/descriptors/transfers.h"

using namespace heddle::rt;
using heddle::Kind;

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
