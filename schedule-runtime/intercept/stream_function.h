// Functions of the C++ library that work on a stream (operator<<, std::getline, ...). The library is not instrumented. So each call counts as a write
// to the stream object, and to the positions in its buffer, which functions of the headers read (std::ostringstream::str()). The standard streams are
// left out: several threads may use them.
#pragma once

#include <cstdint>

#include "engine/operation.h"

namespace heddle::rt {

struct StreamFunction {
  enum What : uint8_t {
    nothing,
    works,              // its first argument is the stream
    changes,            // the same, and the stream is complete: the function neither makes nor ends it. So it has a buffer
    fills_text,         // the same, and its second argument is a string, which it fills
    tells_text,         // its first argument is where the result comes, the second one is the stream, which stays as it is
    buffer_tells_text,  // the same with the stream's buffer in place of the stream
    guards,             // the constructor of a sentry, with which functions of libc++'s headers begin: the second argument is the stream
  } what = nothing;
  bool of_libcxx = false;
};

// By its mangled name.
StreamFunction stream_function(const char* name);
// Called before a call of one. With its first two arguments.
void stream_function_called(StreamFunction function, uintptr_t first, uintptr_t second, Place place);

}  // namespace heddle::rt
