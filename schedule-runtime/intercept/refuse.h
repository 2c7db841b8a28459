// Calls that heddle does not support inside an execution: prints one line, then ends the process through the fuzzing engine, so that the
// input is saved.
#pragma once

#include "engine/engine.h"

namespace heddle::rt {

void refuse(const char* call, Place place, const char* advice);

}  // namespace heddle::rt
