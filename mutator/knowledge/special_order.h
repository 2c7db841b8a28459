// Orders of two operations on one object that match the pattern of a known bug (docs/design/gopie.md#special-chains).
#pragma once

#include "schema/event.h"

namespace heddle::mutator {

// Does `first` before `second` match a bug pattern: <destroy, use>, <notify, wait>, or <trylock that failed, the holder's lock>? REQUIRES:
// one object, two threads.
bool special_order(const Event& first, const Event& second);

}  // namespace heddle::mutator
