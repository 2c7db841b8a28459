// Names of functions outside of reports, in the same form.
#pragma once

#include <string>

namespace heddle::driver {

// "Queue<int>::push" for a mangled name; "test::lambda" for a lambda, and for the standard library's machinery around it. It
// allocates, so it is not for an execution.
std::string readable_function(const char* mangled);

}  // namespace heddle::driver
