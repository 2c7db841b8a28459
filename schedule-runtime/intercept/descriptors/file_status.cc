// Calls that read or set the status of files in the kernel.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "intercept/descriptors/file_call.h"
#include "intercept/descriptors/new_files.h"

using namespace heddle::rt;

// Goes after the memory reads of the call. The arguments: a NamedFile.
#define HEDDLE_LOOKS(...) file_call(heddle::Kind::file_read, {__VA_ARGS__}, here)

#define HEDDLE_OF_DESCRIPTOR(name, type) HEDDLE_LIBRARY_FILLS(name, (int fd, type* to), (fd, to), to, (file_number_use(fd, here), HEDDLE_LOOKS(.call = #name, .number = fd)), file_answer(answer))
#define HEDDLE_OF_PATH(name, type) HEDDLE_LIBRARY_FILLS(name, (const char* path, type* to), (path, to), to, (reads.text(path), HEDDLE_LOOKS(.call = #name, .named = path)), file_answer(answer))
HEDDLE_OF_DESCRIPTOR(fstat, struct stat)
HEDDLE_OF_DESCRIPTOR(fstat64, struct stat64)
HEDDLE_OF_PATH(lstat, struct stat)
HEDDLE_OF_PATH(lstat64, struct stat64)
HEDDLE_OF_PATH(statfs, struct statfs)
HEDDLE_OF_PATH(statfs64, struct statfs64)
HEDDLE_OF_DESCRIPTOR(fstatfs, struct statfs)
HEDDLE_OF_DESCRIPTOR(fstatfs64, struct statfs64)
HEDDLE_OF_PATH(statvfs, struct statvfs)
HEDDLE_OF_PATH(statvfs64, struct statvfs64)
HEDDLE_OF_DESCRIPTOR(fstatvfs, struct statvfs)
HEDDLE_OF_DESCRIPTOR(fstatvfs64, struct statvfs64)
#define HEDDLE_AT(name, parameters, arguments) \
  HEDDLE_LIBRARY_FILLS(name, parameters, arguments, to, (reads.text(path), HEDDLE_LOOKS(.call = #name, .named = path)), file_answer(answer))
HEDDLE_AT(fstatat, (int at, const char* path, struct stat* to, int flags), (at, path, to, flags))
HEDDLE_AT(fstatat64, (int at, const char* path, struct stat64* to, int flags), (at, path, to, flags))
HEDDLE_AT(statx, (int at, const char* path, int flags, unsigned mask, struct statx* to), (at, path, flags, mask, to))

// Functions that write a name, mostly with a final zero. The result may be a new block.
#define HEDDLE_NAME(result, name, parameters, arguments, before, written) \
  HEDDLE_LIBRARY_FUNCTION_THEN(result, name, parameters, arguments, before, written)
HEDDLE_NAME(char*, getcwd, (char* to, size_t room), (to, room), , if (answer != nullptr && to != nullptr) writes.text(to))
HEDDLE_NAME(char*, __getcwd_chk, (char* to, size_t room, size_t space), (to, room, space), , if (answer != nullptr && to != nullptr) writes.text(to))
HEDDLE_NAME(char*, realpath, (const char* path, char* to), (path, to), reads.text(path), if (answer != nullptr && to != nullptr) writes.text(to))
HEDDLE_NAME(char*, __realpath_chk, (const char* path, char* to, size_t space), (path, to, space), reads.text(path),
            if (answer != nullptr && to != nullptr) writes.text(to))
HEDDLE_NAME(ssize_t, readlinkat, (int at, const char* path, char* to, size_t room), (at, path, to, room), (reads.text(path), HEDDLE_LOOKS(.call = "readlinkat", .named = path)),
            if (file_answer(answer) > 0) writes(to, HEDDLE_BYTES(answer)))
HEDDLE_NAME(int, gethostname, (char* to, size_t room), (to, room), , if (answer == 0) writes.text(to, room))
// These names are in memory that all threads share.
HEDDLE_NAME(char*, ttyname, (int fd), (fd), , writes.text(answer))
HEDDLE_NAME(char*, ptsname, (int fd), (fd), , writes.text(answer))
HEDDLE_NAME(int, ttyname_r, (int fd, char* to, size_t room), (fd, to, room), , if (answer == 0) writes.text(to))
HEDDLE_NAME(int, getlogin_r, (char* to, size_t room), (to, room), , if (answer == 0) writes.text(to))

// The call replaces the last six characters.
#define HEDDLE_TEMPORARY(result, name, fails) \
  HEDDLE_LIBRARY_FUNCTION_THEN(result, name, (char* path), (path), (reads.text(path), file_call(heddle::Kind::file_write, {.call = #name, .named = path}, here)), if (file_answer(answer) != (fails)) { writes.text(path); new_file_made(AT_FDCWD, path); })
HEDDLE_TEMPORARY(int, mkstemp, -1)
HEDDLE_TEMPORARY(int, mkstemp64, -1)
HEDDLE_TEMPORARY(char*, mkdtemp, nullptr)

// For a directory. All threads that read the directory share the result.
HEDDLE_LIBRARY_FUNCTION_THEN(dirent*, readdir, (DIR * directory), (directory), HEDDLE_LOOKS(.call = "readdir", .number = dirfd(directory)), if (answer != nullptr) writes(answer, HEDDLE_BYTES(answer->d_reclen)))
HEDDLE_LIBRARY_FUNCTION_THEN(dirent64*, readdir64, (DIR * directory), (directory), HEDDLE_LOOKS(.call = "readdir", .number = dirfd(directory)), if (answer != nullptr) writes(answer, HEDDLE_BYTES(answer->d_reclen)))

// Access and modification times. Without arguments, the time is now.
#define HEDDLE_TIMES(name, parameters, arguments, before)   \
  HEDDLE_LIBRARY_FUNCTION(int, name, parameters, arguments, \
                          (before, times != nullptr ? reads(times, HEDDLE_BYTES(2 * sizeof *times)) : static_cast<void>(0)))
HEDDLE_TIMES(utimes, (const char* path, const timeval* times), (path, times), reads.text(path))
HEDDLE_TIMES(utimensat, (int at, const char* path, const timespec* times, int flags), (at, path, times, flags),
             reads.text(path))
HEDDLE_TIMES(futimens, (int fd, const timespec* times), (fd, times), static_cast<void>(0))
