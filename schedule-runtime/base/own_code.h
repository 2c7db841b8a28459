// Which code of the executable is heddle's own, in a target (harness/link).
#pragma once

#include <cstdint>

namespace heddle::rt {

bool of_heddle(uintptr_t pc);

}  // namespace heddle::rt
