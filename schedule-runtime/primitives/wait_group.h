// Wait groups (heddle/wait_group.h). The count stays in the program's own object. So a wait group that was used before the execution is
// correct from the start.
#pragma once

#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// False: the count would become negative. It is unchanged.
bool wait_group_add(int64_t* count, int64_t delta, Place place);
void wait_group_wait(int64_t* count, Place place);

}  // namespace heddle::rt::primitives
