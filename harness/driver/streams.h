// std::cin, cout, cerr and clog, of libstdc++ or of libc++: a whole program changes them (std::hex, tie, rdbuf), and a process's end flushes them.
#pragma once

namespace heddle::driver {

// Before the first execution; the others do nothing without it.
void capture_streams();
void restore_streams();

}  // namespace heddle::driver
