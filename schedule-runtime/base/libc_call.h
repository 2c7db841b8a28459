// Functions of the C library for heddle's own calls, and how they are found.
#pragma once

namespace heddle::rt {

// As dlsym(RTLD_NEXT, name) in the executable. It leaves the message of dlerror as it is: the program may not have read it yet.
void* libc_function(const char* name);
// The same, but of no library that comes before the C library: an allocator there has other blocks. Null: there is none.
void* own_function_of_libc(const char* name);

// heddle has shims for these, so its own calls by name lead to the shims.
void* (*libc_dlsym())(void* handle, const char* name);
void* (*libc_dlvsym())(void* handle, const char* name, const char* version);

}  // namespace heddle::rt
