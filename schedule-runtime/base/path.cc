#include "base/path.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstring>

#include "base/raw_syscall.h"

namespace heddle::rt {

const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

const char* executable_path() {
  static constinit char path[PATH_MAX] = {};
  if (path[0] == 0) {
    const long n = raw_syscall(SYS_readlinkat, static_cast<uintptr_t>(AT_FDCWD), word("/proc/self/exe"), word(path), sizeof path - 1);
    if (n <= 0) return reinterpret_cast<const char*>(getauxval(AT_EXECFN));  // without /proc
  }
  return path;
}

std::string_view path_of_number(int number, std::span<char> room) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", number);
  const long length = raw_syscall(SYS_readlinkat, static_cast<uintptr_t>(AT_FDCWD), word(link), word(room.data()), room.size());
  std::string_view path(room.data(), length > 0 ? static_cast<size_t>(length) : 0);
  if (!path.starts_with('/')) return {};
  if (constexpr std::string_view kDeleted = " (deleted)"; path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  return path;
}

}  // namespace heddle::rt
