// std::cin, cout, cerr and clog: libstdc++'s variables, which a whole program changes (std::hex, tie, rdbuf) and a process's end flushes.
#pragma once

namespace heddle::driver {

// Before the first execution; the others do nothing without it.
void capture_streams();
void restore_streams();

}  // namespace heddle::driver
