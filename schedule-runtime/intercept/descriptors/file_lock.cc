// flock, and fcntl's locks of open file descriptions.
#include "intercept/descriptors/file_lock.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "intercept/real.h"

using namespace heddle::rt;
using primitives::FileLock;

HEDDLE_REAL(flock);

HEDDLE_SHIM int flock(int descriptor, int operation) noexcept {
  if (!locks_files()) return real_flock(descriptor, operation);
  const bool waits = (operation & LOCK_NB) == 0;
  switch (operation & ~LOCK_NB) {
    case LOCK_SH:
    case LOCK_EX: {
      const FileLock lock{.descriptor = descriptor, .exclusive = (operation & LOCK_EX) != 0};
      return static_cast<int>(through_errno(primitives::file_lock(lock, waits, HEDDLE_HERE)));
    }
    case LOCK_UN: return static_cast<int>(through_errno(primitives::file_unlock({.descriptor = descriptor, .exclusive = true}, HEDDLE_HERE)));
    default: return real_flock(descriptor, operation);
  }
}

namespace {

// The bytes that the lock covers at the time of the call. False: none.
bool find_bytes(int descriptor, const struct flock& asked, FileLock& lock) {
  struct stat file;
  int64_t from = 0;
  if (asked.l_whence == SEEK_CUR) from = raw_syscall(SYS_lseek, word(descriptor), 0, SEEK_CUR);
  if (asked.l_whence == SEEK_END) from = raw_syscall(SYS_fstat, word(descriptor), word(&file)) == 0 ? file.st_size : -1;
  int64_t first = from + asked.l_start, last = INT64_MAX;
  if (asked.l_len > 0) last = first + asked.l_len - 1;
  if (asked.l_len < 0) last = first - 1, first += asked.l_len;
  lock.first = static_cast<uint64_t>(first);
  lock.last = static_cast<uint64_t>(last);
  return from >= 0 && first >= 0 && last >= first && asked.l_pid == 0;
}

}  // namespace

int heddle::rt::lock_bytes(int descriptor, int command, uintptr_t argument, Place place) {
  const auto* const asked = reinterpret_cast<const struct flock*>(argument);
  FileLock lock{.descriptor = descriptor, .exclusive = asked != nullptr && asked->l_type == F_WRLCK, .of_bytes = true};
  // If the kernel refuses the call, it takes no lock.
  if (asked == nullptr || !find_bytes(descriptor, *asked, lock) || asked->l_type < 0 || asked->l_type > F_UNLCK) {
    return static_cast<int>(through_errno(raw_syscall(SYS_fcntl, word(descriptor), word(command), argument)));
  }
  if (asked->l_type == F_UNLCK) return static_cast<int>(through_errno(primitives::file_unlock(lock, place)));
  return static_cast<int>(through_errno(primitives::file_lock(lock, command == F_OFD_SETLKW, place)));
}
