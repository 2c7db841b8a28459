// Thread-locals of libraries that dlopen has loaded: fresh for every fiber, as those of other modules are.
//
// They do not lie at a fixed place of a donor's block, and libraries come and go, so there is no copy to put back (thread_locals.h). Instead each fiber,
// when it begins, asks the dynamic linker for its donor's variables of each such library, and gives them the values that the file has for them. That is
// what a new thread finds.
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
