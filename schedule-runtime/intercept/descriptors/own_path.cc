// Calls that open files or query them by name (own_path.h). Streams are opened in stdio/open.cc.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "intercept/descriptors/own_path.h"

using namespace heddle::rt;
using heddle::Kind;

namespace {

// How the call opens the file.
Kind opening(Word flags) { return (flags & (O_CREAT | O_TRUNC)) != 0 ? Kind::file_write : Kind::file_read; }

void written(Word to, ssize_t size, Place place) {
  if (size > 0 && asked_by_program(place)) LibraryAccesses(true, place)(reinterpret_cast<const void*>(to), HEDDLE_BYTES(size));
}

}  // namespace

#define HEDDLE_OPENS_NUMBER(name, at, path, flags) \
  HEDDLE_OPEN_CALL(int, name, at, path, opening(flags), flags & O_CREAT, file_opened(static_cast<int>(answer)))
HEDDLE_OPENS_NUMBER(open, AT_FDCWD, a, b)
HEDDLE_OPENS_NUMBER(open64, AT_FDCWD, a, b)
HEDDLE_OPENS_NUMBER(__open_2, AT_FDCWD, a, b)
HEDDLE_OPENS_NUMBER(__open64_2, AT_FDCWD, a, b)
HEDDLE_OPENS_NUMBER(openat, a, b, c)
HEDDLE_OPENS_NUMBER(openat64, a, b, c)
HEDDLE_PATH_CALL(reinterpret_cast<DIR*>, opendir, a, Kind::file_read)
HEDDLE_PATH_CALL(int, access, a, Kind::file_read)
HEDDLE_PATH_CALL_THEN(ssize_t, readlink, a, false, Kind::file_read, written(b, static_cast<ssize_t>(answer), HEDDLE_HERE))
HEDDLE_PATH_CALL_THEN(int, stat, a, false, Kind::file_read, if (static_cast<int>(answer) == 0) written(b, sizeof(struct stat), HEDDLE_HERE))
HEDDLE_PATH_CALL_THEN(int, stat64, a, false, Kind::file_read, if (static_cast<int>(answer) == 0) written(b, sizeof(struct stat64), HEDDLE_HERE))
