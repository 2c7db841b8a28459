// AFL++'s map. Each counter has places in it, one for each bucket of its values. AFL++'s runtime assigns these places, as it does for the
// guards of an instrumented unit. Active only if that runtime is linked.
#pragma once

#include "feedback/sink.h"

namespace heddle::rt {

void write_afl_map(const Feature* features, uint32_t count);

}  // namespace heddle::rt
