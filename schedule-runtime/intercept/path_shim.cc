// Names of files, which the kernel reads. Those of calls that also concern whole programs are in process_path_shim.cc.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

#define HEDDLE_NAMED(result, name, parameters, arguments) \
  HEDDLE_LIBRARY_FUNCTION(result, name, parameters, arguments, reads.text(path))
#define HEDDLE_NAMED_TWICE(name) \
  HEDDLE_LIBRARY_FUNCTION(int, name, (const char* a, const char* b), (a, b), (reads.text(a), reads.text(b)))

HEDDLE_NAMED(int, unlink, (const char* path), (path))
HEDDLE_NAMED(int, unlinkat, (int at, const char* path, int flags), (at, path, flags))
HEDDLE_NAMED(int, remove, (const char* path), (path))
HEDDLE_NAMED(int, rmdir, (const char* path), (path))
HEDDLE_NAMED(int, mkdir, (const char* path, mode_t mode), (path, mode))
HEDDLE_NAMED(int, chmod, (const char* path, mode_t mode), (path, mode))
HEDDLE_NAMED(int, truncate, (const char* path, off_t size), (path, size))
HEDDLE_NAMED_TWICE(rename)
HEDDLE_NAMED_TWICE(link)
HEDDLE_NAMED_TWICE(symlink)
