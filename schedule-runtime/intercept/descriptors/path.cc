// Calls that change files or test whether they exist, by name or descriptor. Calls that also concern whole programs are in
// descriptors/own_path.cc. Calls that query metadata are in descriptors/file_status.cc.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

#include "intercept/descriptors/file_call.h"
#include "intercept/descriptors/new_files.h"

using namespace heddle::rt;

namespace {

// Where glibc keeps it.
class SharedMemoryName {
 public:
  explicit SharedMemoryName(const char* name) {
    if (current_thread() != nullptr && name != nullptr) snprintf(path_, sizeof path_, "/dev/shm/%s", name + strspn(name, "/"));
  }
  const char* path() const { return path_[0] != 0 ? path_ : nullptr; }

 private:
  char path_[300] = {};  // NAME_MAX is 255
};

}  // namespace

#define HEDDLE_CHANGES_NAMED(name, parameters, arguments) HEDDLE_FILE_FUNCTION(file_write, int, name, parameters, arguments, (.named = path), reads.text(path))
// `at`: the directory of a relative name.
#define HEDDLE_REMOVES(at, name, parameters, arguments) \
  HEDDLE_FILE_FUNCTION_AROUND(file_write, int, name, parameters, arguments, (.named = path), file_leaves(at, path), , reads.text(path))
#define HEDDLE_MAKES(at, name, parameters, arguments)                                                                                  \
  HEDDLE_FILE_FUNCTION_AROUND(file_write, int, name, parameters, arguments, (.named = path), NewFile made(at, path), if (answer >= 0) made.made(), \
                              reads.text(path))
#define HEDDLE_MAKES_OTHER(at, name, parameters, arguments)                                                                            \
  HEDDLE_FILE_FUNCTION_AROUND(file_write, int, name, parameters, arguments, (.named = path, .other = other), NewFile made(at, other),     \
                              if (answer >= 0) made.made(), (reads.text(path), reads.text(other)))
#define HEDDLE_MOVES(at, to, name, parameters, arguments)                                                                              \
  HEDDLE_FILE_FUNCTION_AROUND(file_write, int, name, parameters, arguments, (.named = path, .other = other), file_leaves(at, path);       \
                              NewFile made(to, other), if (answer == 0) made.moved(at, path),                                             \
                              (reads.text(path), reads.text(other)))
#define HEDDLE_CHANGES(name, parameters, arguments) \
  HEDDLE_FILE_FUNCTION(file_write, int, name, parameters, arguments, (.number = fd), (static_cast<void>(reads), file_number_use(fd, here)))

HEDDLE_REMOVES(AT_FDCWD, unlink, (const char* path), (path))
HEDDLE_REMOVES(at, unlinkat, (int at, const char* path, int flags), (at, path, flags))
HEDDLE_REMOVES(AT_FDCWD, remove, (const char* path), (path))
HEDDLE_REMOVES(AT_FDCWD, rmdir, (const char* path), (path))
HEDDLE_MAKES(AT_FDCWD, mkdir, (const char* path, mode_t mode), (path, mode))
HEDDLE_MAKES(at, mkdirat, (int at, const char* path, mode_t mode), (at, path, mode))
HEDDLE_MAKES(AT_FDCWD, creat, (const char* path, mode_t mode), (path, mode))
HEDDLE_MAKES(AT_FDCWD, creat64, (const char* path, mode_t mode), (path, mode))
HEDDLE_CHANGES_NAMED(chmod, (const char* path, mode_t mode), (path, mode))
HEDDLE_CHANGES_NAMED(truncate, (const char* path, off_t size), (path, size))
HEDDLE_CHANGES_NAMED(truncate64, (const char* path, off64_t size), (path, size))
HEDDLE_MOVES(AT_FDCWD, AT_FDCWD, rename, (const char* path, const char* other), (path, other))
HEDDLE_MOVES(at, to, renameat, (int at, const char* path, int to, const char* other), (at, path, to, other))
HEDDLE_MOVES(at, to, renameat2, (int at, const char* path, int to, const char* other, unsigned flags), (at, path, to, other, flags))
HEDDLE_MAKES_OTHER(AT_FDCWD, link, (const char* path, const char* other), (path, other))
HEDDLE_MAKES_OTHER(to, linkat, (int at, const char* path, int to, const char* other, int flags), (at, path, to, other, flags))
HEDDLE_MAKES_OTHER(AT_FDCWD, symlink, (const char* path, const char* other), (path, other))
HEDDLE_MAKES_OTHER(to, symlinkat, (const char* path, int to, const char* other), (path, to, other))
HEDDLE_CHANGES(ftruncate, (int fd, off_t size), (fd, size))
HEDDLE_CHANGES(ftruncate64, (int fd, off64_t size), (fd, size))
HEDDLE_CHANGES(fsync, (int fd), (fd))
HEDDLE_CHANGES(fdatasync, (int fd), (fd))
HEDDLE_CHANGES(fallocate, (int fd, int mode, off_t from, off_t size), (fd, mode, from, size))
HEDDLE_CHANGES(fallocate64, (int fd, int mode, off64_t from, off64_t size), (fd, mode, from, size))
HEDDLE_CHANGES(posix_fallocate, (int fd, off_t from, off_t size), (fd, from, size))
HEDDLE_CHANGES(posix_fallocate64, (int fd, off64_t from, off64_t size), (fd, from, size))
HEDDLE_FILE_FUNCTION_AROUND(file_write, int, shm_open, (const char* path, int flags, mode_t mode), (path, flags, mode), (.named = path), const SharedMemoryName name(path);
                            NewFile made(AT_FDCWD, (flags & O_CREAT) != 0 ? name.path() : nullptr), if (answer >= 0) made.made(), reads.text(path))
HEDDLE_FILE_FUNCTION_AROUND(file_write, int, shm_unlink, (const char* path), (path), (.named = path), const SharedMemoryName name(path);
                            file_leaves(AT_FDCWD, name.path()), , reads.text(path))
// What is changed before is not told.
HEDDLE_FILE_FUNCTION(file_read, int, inotify_add_watch, (int fd, const char* path, uint32_t mask), (fd, path, mask), (.named = path), reads.text(path))
HEDDLE_FILE_FUNCTION(file_read, int, inotify_rm_watch, (int fd, int watch), (fd, watch), (.number = fd), static_cast<void>(reads))
HEDDLE_FILE_FUNCTION(file_read, int, faccessat, (int at, const char* path, int mode, int flags), (at, path, mode, flags), (.named = path), reads.text(path))
HEDDLE_FILE_FUNCTION(file_read, int, euidaccess, (const char* path, int mode), (path, mode), (.named = path), reads.text(path))
HEDDLE_FILE_FUNCTION(file_read, int, eaccess, (const char* path, int mode), (path, mode), (.named = path), reads.text(path))
