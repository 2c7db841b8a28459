// Misuse that Go answers with a panic: a finding, unless the thread expects it (heddle/panic.h). The program then gets an exception.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

inline void panic(FindingType type, const Object* object, Place place, uint32_t other_event = kNoEvent) {
  if (current_thread()->expected_panics == 0) engine().misuse(type, object, place, kNoEvent, other_event);
}

}  // namespace heddle::rt::primitives
