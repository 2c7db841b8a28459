// Names of functions without a demangler. A demangler would allocate, and a report may be about a corrupted heap.
#pragma once

namespace heddle::rt {

// "foo::bar" of "_ZN3foo3barEv", "foo::lambda" of a lambda in it and of the standard library's wrapper around it, where the name is as simple as that;
// else the name as it is. Valid until the next call.
const char* short_function_name(const char* mangled);

// Of an instance of a template, the first lambda among its types; null without one.
const char* lambda_among_types(const char* mangled);

}  // namespace heddle::rt
