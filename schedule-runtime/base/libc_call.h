// The C library's functions that look up symbols. heddle has shims for them, so its own calls by name lead to these.
#pragma once

namespace heddle::rt {

void* (*libc_dlsym())(void* handle, const char* name);
void* (*libc_dlvsym())(void* handle, const char* name, const char* version);

}  // namespace heddle::rt
