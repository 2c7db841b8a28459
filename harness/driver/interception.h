// Where calls of the C library's functions lead in this process.
#pragma once

namespace heddle::driver {

// Does a library's call of the function come to heddle? ASan, whose interceptors are in the same executable, may have it, too.
bool reaches_heddle(const char* function);

}  // namespace heddle::driver
