// std::cin, cout, cerr and clog, of libstdc++ or of libc++. A whole program can change them (std::hex, tie, rdbuf), and the end of a process flushes them.
#pragma once

namespace heddle::driver {

// Call it before the first execution. Without it, the other functions do nothing.
void capture_streams();
void restore_streams();

}  // namespace heddle::driver
