// Thread-locals of libraries that dlopen has loaded: fresh for every fiber, as those of other modules.
//
// They have no fixed place in a donor's block, and libraries come and go, so there is no copy to restore (thread_locals.h). Instead each fiber asks the
// dynamic linker, when it begins, for its donor's variables of each such library, and sets them to the values in the file. A new thread finds the same.
#pragma once

#include <cstddef>

namespace heddle::fiber::library_locals {

// The module is put back by other means.
void leave_out(size_t module);

// A library is being opened, or has been closed.
void libraries_changed();

// On the fiber, before its entry.
void begin();

// Of the current fiber: calls back for each library's variables, where begin() found them.
using Callback = void (*)(void* begin, size_t size);
void for_each(Callback callback);

}  // namespace heddle::fiber::library_locals
