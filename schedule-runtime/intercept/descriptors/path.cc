// Calls that change files or test whether they exist, by name or descriptor. Calls that also concern whole programs are in
// descriptors/own_path.cc. Calls that query metadata are in descriptors/file_status.cc.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

#include "intercept/descriptors/file_call.h"

using namespace heddle::rt;

#define HEDDLE_CHANGES_NAMED(name, parameters, arguments) HEDDLE_FILE_FUNCTION(file_write, int, name, parameters, arguments, (.named = path), reads.text(path))
#define HEDDLE_CHANGES_TWO(name, parameters, arguments) \
  HEDDLE_FILE_FUNCTION(file_write, int, name, parameters, arguments, (.named = path, .other = other), (reads.text(path), reads.text(other)))
#define HEDDLE_CHANGES(name, parameters, arguments) \
  HEDDLE_FILE_FUNCTION(file_write, int, name, parameters, arguments, (.number = fd), (static_cast<void>(reads), file_number_use(fd, here)))

HEDDLE_CHANGES_NAMED(unlink, (const char* path), (path))
HEDDLE_CHANGES_NAMED(unlinkat, (int at, const char* path, int flags), (at, path, flags))
HEDDLE_CHANGES_NAMED(remove, (const char* path), (path))
HEDDLE_CHANGES_NAMED(rmdir, (const char* path), (path))
HEDDLE_CHANGES_NAMED(mkdir, (const char* path, mode_t mode), (path, mode))
HEDDLE_CHANGES_NAMED(mkdirat, (int at, const char* path, mode_t mode), (at, path, mode))
HEDDLE_CHANGES_NAMED(creat, (const char* path, mode_t mode), (path, mode))
HEDDLE_CHANGES_NAMED(creat64, (const char* path, mode_t mode), (path, mode))
HEDDLE_CHANGES_NAMED(chmod, (const char* path, mode_t mode), (path, mode))
HEDDLE_CHANGES_NAMED(truncate, (const char* path, off_t size), (path, size))
HEDDLE_CHANGES_NAMED(truncate64, (const char* path, off64_t size), (path, size))
HEDDLE_CHANGES_TWO(rename, (const char* path, const char* other), (path, other))
HEDDLE_CHANGES_TWO(renameat, (int at, const char* path, int to, const char* other), (at, path, to, other))
HEDDLE_CHANGES_TWO(renameat2, (int at, const char* path, int to, const char* other, unsigned flags), (at, path, to, other, flags))
HEDDLE_CHANGES_TWO(link, (const char* path, const char* other), (path, other))
HEDDLE_CHANGES_TWO(linkat, (int at, const char* path, int to, const char* other, int flags), (at, path, to, other, flags))
HEDDLE_CHANGES_TWO(symlink, (const char* path, const char* other), (path, other))
HEDDLE_CHANGES_TWO(symlinkat, (const char* path, int to, const char* other), (path, to, other))
HEDDLE_CHANGES(ftruncate, (int fd, off_t size), (fd, size))
HEDDLE_CHANGES(ftruncate64, (int fd, off64_t size), (fd, size))
HEDDLE_CHANGES(fsync, (int fd), (fd))
HEDDLE_CHANGES(fdatasync, (int fd), (fd))
HEDDLE_CHANGES(fallocate, (int fd, int mode, off_t from, off_t size), (fd, mode, from, size))
HEDDLE_CHANGES(fallocate64, (int fd, int mode, off64_t from, off64_t size), (fd, mode, from, size))
HEDDLE_CHANGES(posix_fallocate, (int fd, off_t from, off_t size), (fd, from, size))
HEDDLE_CHANGES(posix_fallocate64, (int fd, off64_t from, off64_t size), (fd, from, size))
HEDDLE_CHANGES_NAMED(shm_open, (const char* path, int flags, mode_t mode), (path, flags, mode))
HEDDLE_CHANGES_NAMED(shm_unlink, (const char* path), (path))
// What is changed before is not told.
HEDDLE_FILE_FUNCTION(file_read, int, inotify_add_watch, (int fd, const char* path, uint32_t mask), (fd, path, mask), (.named = path), reads.text(path))
HEDDLE_FILE_FUNCTION(file_read, int, inotify_rm_watch, (int fd, int watch), (fd, watch), (.number = fd), static_cast<void>(reads))
HEDDLE_FILE_FUNCTION(file_read, int, faccessat, (int at, const char* path, int mode, int flags), (at, path, mode, flags), (.named = path), reads.text(path))
HEDDLE_FILE_FUNCTION(file_read, int, euidaccess, (const char* path, int mode), (path, mode), (.named = path), reads.text(path))
HEDDLE_FILE_FUNCTION(file_read, int, eaccess, (const char* path, int mode), (path, mode), (.named = path), reads.text(path))
