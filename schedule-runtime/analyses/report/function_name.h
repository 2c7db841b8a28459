// Names of functions without a demangler. A demangler would allocate, and a report may be about a corrupted heap.
#pragma once

namespace heddle::rt {

// "foo::bar" for "_ZN3foo3barEv". "foo::lambda" for a lambda in it, and for the standard library's wrapper around the lambda, if the name
// is simple enough. Otherwise the unchanged name. Valid until the next call.
const char* short_function_name(const char* mangled);

// In an instance of a template: the first lambda among its types. Null if there is none.
const char* lambda_among_types(const char* mangled);

}  // namespace heddle::rt
