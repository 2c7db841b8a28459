// A lock or a similar object is initialised.
#pragma once

#include <cstddef>

#include "engine/operation.h"

namespace heddle::rt {

// Called before it happens. It is a plain write to all of the object. So a use in no order with it is a race, and heddle also tries the other
// order. Another thread that holds the object by then, or waits on it, is a finding.
void initialises(const volatile void* object, size_t size, Place place);

}  // namespace heddle::rt
