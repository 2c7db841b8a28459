// Functions of the C++ library that work on a stream (operator<<, std::getline, ...). The library is not instrumented. So each call counts as a write
// to the stream object, and to the positions in its buffer, which functions of the headers read (std::ostringstream::str()). The standard streams are
// left out: several threads may use them.
#pragma once

#include <cstdint>

#include "engine/operation.h"

namespace heddle::rt {

enum class StreamFunction : uint8_t {
  none,
  works,       // its first argument is the stream
  changes,     // the same, and the stream is complete, with a buffer as libstdc++ has it: the function neither makes nor ends it
  fills_text,  // the same, and its second argument is a string, which it fills
  tells_text,  // its first argument is where the result comes, the second one is the stream, which stays as it is
};

// By its mangled name.
StreamFunction stream_function(const char* name);
// Called before a call of one. With its first two arguments.
void stream_function_called(StreamFunction function, uintptr_t first, uintptr_t second, Place place);

}  // namespace heddle::rt
