// Thread-locals of libraries that dlopen has loaded. Each fiber starts with fresh ones, as for other modules.
//
// They have no fixed place in a donor's block, and libraries come and go. So there is no copy to restore (thread_locals.h). Instead, each
// fiber asks the dynamic linker at its start for its donor's variables of each such library, and sets them to the values in the file. A new
// thread has the same values.
#pragma once

#include <cstddef>

namespace heddle::fiber::library_locals {

// The module is restored in another way.
void leave_out(size_t module);

// A library is being opened, or was closed.
void libraries_changed();

// Called on the fiber, before its entry.
void begin();

// For the current fiber: calls back for each library's variables, at the addresses that begin() found.
using Callback = void (*)(void* begin, size_t size);
void for_each(Callback callback);

}  // namespace heddle::fiber::library_locals
