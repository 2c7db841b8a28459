// Calls that heddle does not support inside an execution: one clear line, then the process ends through the engine, so that the input is kept.
#pragma once

#include "engine/engine.h"

namespace heddle::rt {

void refuse(const char* call, Place place, const char* advice);

}  // namespace heddle::rt
