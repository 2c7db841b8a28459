// sendfile. To a descriptor of the execution it is an operation that writes, as write is: it waits for room, and counts for a connection.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/raw_syscall.h"
#include "intercept/descriptors/by_number.h"
#include "intercept/descriptors/descriptor_call.h"
#include "intercept/descriptors/file_call.h"

using namespace heddle::rt;
using heddle::Kind;
using primitives::RawCall;

namespace {

// Other threads run between two writes, and not within one.
constinit char g_bytes[1 << 16] = {};

long write_raw(int to, size_t size) {
  const long sent = raw_syscall(SYS_sendto, word(to), word(g_bytes), size, MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0);
  return sent == -ENOTSOCK ? raw_syscall(SYS_write, word(to), word(g_bytes), size) : sent;
}

// As many as the kernel takes.
long write_from(int from, off64_t at, int to, size_t size) {
  size_t written = 0;
  while (written < size) {
    const long got = raw_syscall(SYS_pread64, word(from), word(g_bytes), std::min(size - written, sizeof g_bytes), static_cast<uintptr_t>(at) + written);
    const long sent = got > 0 ? write_raw(to, static_cast<size_t>(got)) : got;
    if (sent <= 0) return written != 0 ? static_cast<long>(written) : sent;
    written += static_cast<size_t>(sent);
    if (sent < got) break;
  }
  return static_cast<long>(written);
}

bool takes_bytes(int descriptor) {
  const primitives::Description* const d = current_thread() != nullptr ? primitives::find_description(descriptor) : nullptr;
  return d != nullptr && (d->sort == primitives::DescriptorSort::socket || d->sort == primitives::DescriptorSort::pipe);
}

// Negative: it is no file.
off64_t file_size(int descriptor) {
  struct stat status;
  const bool is_file = !made_here(descriptor) && raw_syscall(SYS_fstat, word(descriptor), word(&status)) == 0 && S_ISREG(status.st_mode);
  return is_file ? status.st_size : -1;
}

// `offset`: null if the file's own position counts.
template <typename F>
ssize_t send_file(int to, int from, off64_t* offset, size_t size, Place place, F real) {
  if (!takes_bytes(to) || file_size(from) < 0) return bytes_moved("sendfile", to, from, real(), place);
  file_call(Kind::file_read, from, place);
  if (offset != nullptr) value_accessed(offset, true, place);
  const off64_t begin = offset != nullptr ? *offset : raw_syscall(SYS_lseek, word(from), 0, SEEK_CUR);
  if (begin < 0) return descriptor_answer("sendfile", -EINVAL, place);
  const off64_t end = file_size(from);  // other threads have run
  size = begin < end ? std::min(size, static_cast<size_t>(end - begin)) : 0;
  if (size == 0) return 0;
  // Its address is the position in the file.
  iovec part = {reinterpret_cast<void*>(begin), size};
  auto call = [&](int real_number, iovec* rest, int) {
    return write_from(from, reinterpret_cast<off64_t>(rest->iov_base), real_number, rest->iov_len);
  };
  const long sent = primitives::transfer_all({.kind = Kind::descriptor_write, .descriptor = to, .call = RawCall(call), .parts = {&part, 1}}, place);
  if (sent > 0 && offset != nullptr) *offset = begin + sent;
  if (sent > 0 && offset == nullptr) raw_syscall(SYS_lseek, word(from), static_cast<uintptr_t>(begin + sent), SEEK_SET);
  return descriptor_answer("sendfile", sent, place);
}

}  // namespace

HEDDLE_REAL_OR_ASAN(ssize_t, sendfile, (int, int, off_t*, size_t));
HEDDLE_SHIM ssize_t sendfile(int to, int from, off_t* offset, size_t size) noexcept {
  return send_file(to, from, offset, size, HEDDLE_HERE, [&] { return real_sendfile(to, from, offset, size); });
}
// The name of the call with 64-bit offsets. The two are the same function if all offsets have 64 bits.
HEDDLE_REAL_OR_ASAN(ssize_t, sendfile64, (int, int, off64_t*, size_t));
HEDDLE_SHIM ssize_t sendfile64(int to, int from, off64_t* offset, size_t size) noexcept {
  return send_file(to, from, offset, size, HEDDLE_HERE, [&] { return real_sendfile64(to, from, offset, size); });
}
