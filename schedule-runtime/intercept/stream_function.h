// Functions of the C++ library that work on a stream (operator<<, std::getline, ...). The library is not instrumented. So each call counts as a write
// to the stream object. The standard streams are left out: several threads may use them.
#pragma once

#include <cstdint>

#include "engine/operation.h"

namespace heddle::rt {

// By its mangled name: does the function work on the stream that is its first argument?
bool is_stream_function(const char* name);
// Called before a call of one.
void stream_function_called(uintptr_t stream, Place place);

}  // namespace heddle::rt
