#include "harness/driver/interception.h"

#include <dlfcn.h>

#include <cstdint>

#include "base/own_code.h"

namespace heddle::driver {

bool reaches_heddle(const char* function) { return rt::of_heddle(reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, function))); }

}  // namespace heddle::driver
