// Operations on atomics and futexes that the C++ library makes for one of its own primitives. Reports name the primitive, and not what it is made of.
#pragma once

#include <string_view>

#include "schema/event.h"

namespace heddle::rt {

// "semaphore", "latch", "barrier" or "future": of which the operation is a part. Empty: of none, or it is not known. A future is named for the word on
// which its readers wait, and libc++'s has none.
std::string_view library_primitive(const RunSummary& run, uint32_t event);
// Is it one of these words? (Some primitives of pthreads have them, too.)
bool is_library_primitive(std::string_view word);

}  // namespace heddle::rt
