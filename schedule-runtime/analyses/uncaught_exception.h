// The exception that the program has not caught.
#pragma once

#include <cstddef>
#include <typeinfo>

namespace heddle::rt {

// Null: none is being handled, or there is no C++ library.
const std::type_info* exception_in_flight();

// The object. REQUIRES: exception_in_flight().
const void* exception_object();

// What its what() says, on one line; false: it is no std::exception. REQUIRES: exception_in_flight().
bool exception_text(char* out, size_t size);

}  // namespace heddle::rt
