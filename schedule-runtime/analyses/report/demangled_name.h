// The name of a function in reports: the qualified name, without the rest of the demangled text.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::rt {

// "Queue<int>::push" of "void Queue<int>::push(int&&)", "test::lambda" of "test()::'lambda'(int)::operator()(int) const", "test::$_0" of
// "test()::$_0::operator()() const", "push" of "(anonymous namespace)::push(int)". Without parameters, results and what else stands behind the
// name; template arguments that are long become "...". A name as it is written in C stays. `out` has room for `size` characters, with the final zero;
// what does not fit is cut. Returns how many there are.
size_t put_qualified_name(std::string_view demangled, char* out, size_t size);

}  // namespace heddle::rt
