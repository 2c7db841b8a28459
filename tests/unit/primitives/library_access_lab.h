// Which bytes of two buffers a call of the C library's reads and writes, by what the race detector knows afterwards.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace heddle::test {

// The compiler knows these functions and would do them itself.
extern char* volatile from;
extern char* volatile to;

// `in_from` and `in_to` are what is in the buffers before, as strings. "bytes of from|bytes of to": from the first, 'r' read, 'w' written, 'b' both,
// '.' neither.
std::string accesses(const char* in_from, const char* in_to, std::function<void()> call);

}  // namespace heddle::test
