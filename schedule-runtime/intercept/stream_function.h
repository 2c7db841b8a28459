// Functions of the C++ library that work on a stream (operator<<, std::getline, ...). The library is not instrumented. So each call counts as a write
// to the stream object, and to the positions in its buffer, which functions of the headers read (std::ostringstream::str()). The standard streams are
// left out: several threads may use them.
#pragma once

#include <cstdint>

#include "engine/operation.h"

namespace heddle::rt {

// By its mangled name: does the function work on the stream that is its first argument?
bool is_stream_function(const char* name);
// The function finds the stream complete, with a buffer as libstdc++ has it: it neither makes nor ends the stream.
bool has_buffer(const char* name);
// Called before a call of one.
void stream_function_called(uintptr_t stream, bool has_buffer, Place place);

}  // namespace heddle::rt
