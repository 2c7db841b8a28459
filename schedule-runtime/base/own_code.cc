#include "base/own_code.h"

// Defined by harness/link/combine.ld.
extern "C" __attribute__((weak, visibility("hidden"))) const char heddle_code_begin[], heddle_code_end[];

namespace heddle::rt {

bool of_heddle(uintptr_t pc) {
  return pc >= reinterpret_cast<uintptr_t>(heddle_code_begin) && pc < reinterpret_cast<uintptr_t>(heddle_code_end);
}

}  // namespace heddle::rt
