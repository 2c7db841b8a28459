#include "base/line.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "base/check.h"
#include "base/exit_codes.h"
#include "base/raw_syscall.h"

namespace heddle::rt {

// Uses the raw system call, because `write` may be heddle's shim or a sanitizer's.
bool write_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    const long n = syscall(SYS_write, fd, data, size);
    if (n < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return false;
    }
    data += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

void print_line(int fd, const char* format, ...) {
  char buffer[2048];
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (n <= 0) return;
  write_all(fd, buffer, n < static_cast<int>(sizeof buffer) ? n : sizeof buffer - 1);
}

void fail(const char* what) {
  print_line(2, "heddle: internal error: %s\n", what);
  raw_syscall(SYS_exit_group, kInternalErrorExit);  // _exit may be a shim's
  __builtin_unreachable();
}

}  // namespace heddle::rt
