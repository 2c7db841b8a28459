// AFL++'s map: each counter has places in it, one for each bucket of its values, that AFL++'s runtime has given out, as it does to the guards of an
// instrumented unit. At work where that runtime is linked.
#pragma once

#include "feedback/sink.h"

namespace heddle::rt {

void write_afl_map(const Feature* features, uint32_t count);

}  // namespace heddle::rt
