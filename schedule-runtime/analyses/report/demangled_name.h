// The name of a function in reports: the qualified name, without the rest of the demangled text.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::rt {

// "Queue<int>::push" for "void Queue<int>::push(int&&)", "test::lambda" for "test()::'lambda'(int)::operator()(int) const", "test::$_0" for
// "test()::$_0::operator()() const", "push" for "(anonymous namespace)::push(int)". Without parameters, results and everything after the
// name. Long template arguments become "...". A C name is unchanged. `out` has room for `size` characters, with the final zero; a longer
// name is cut. Returns the length.
size_t put_qualified_name(std::string_view demangled, char* out, size_t size);

}  // namespace heddle::rt
