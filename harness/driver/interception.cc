#include "harness/driver/interception.h"

#include <dlfcn.h>

// The bounds of heddle's code in the executable, by harness/link/combine.ld.
extern "C" __attribute__((visibility("hidden"))) const char heddle_code_begin[], heddle_code_end[];

namespace heddle::driver {

bool reaches_heddle(const char* function) {
  const auto* const code = static_cast<const char*>(dlsym(RTLD_DEFAULT, function));
  return code >= heddle_code_begin && code < heddle_code_end;
}

}  // namespace heddle::driver
