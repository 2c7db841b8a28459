// Tests which function a call of a C library function reaches in this process.
#pragma once

namespace heddle::driver {

// Does a call of the function from a library reach heddle? It may go through ASan's interceptors, which are in the same executable.
bool reaches_heddle(const char* function);

}  // namespace heddle::driver
