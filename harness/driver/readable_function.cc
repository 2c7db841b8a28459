#include "harness/driver/readable_function.h"

#include <cxxabi.h>

#include <cstdlib>

#include "analyses/report/demangled_name.h"
#include "analyses/report/function_name.h"

namespace heddle::driver {

std::string readable_function(const char* mangled) {
  const std::string simple = rt::short_function_name(mangled);
  if (!simple.starts_with("_Z")) return simple;
  int status = 0;
  char* const demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  if (demangled == nullptr) return mangled;
  char name[512];
  const size_t size = rt::put_qualified_name(demangled, name, sizeof name);
  std::free(demangled);
  return {name, size};
}

}  // namespace heddle::driver
