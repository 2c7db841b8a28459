// A lock or a similar object is initialised.
#pragma once

#include <cstddef>

#include "engine/engine.h"

namespace heddle::rt {

// Called before it happens. It is a plain write to all of the object. So a use in no order with it is a race, and heddle also tries the other
// order. Another thread that holds the object by then, or waits on it, is a finding.
void about_to_initialise(const volatile void* object, size_t size, Place place);

// For a shim: `real` calls libc and returns 0 if it has initialised the object; then the primitive is told.
template <typename T, typename Real>
[[gnu::always_inline]] inline int initialise(T* object, Place place, Real real, void (*initialised)(T*, Place)) {
  if (current_thread() == nullptr) return real();
  about_to_initialise(object, sizeof *object, place);
  const int result = real();
  if (result == 0) initialised(object, place);
  return result;
}

}  // namespace heddle::rt
