// Orders of two operations on one object that are the shape of a known bug (docs/design/gopie.md#special-chains).
#pragma once

#include "schema/event.h"

namespace heddle::mutator {

// Is it a bug's shape that `first` comes before `second`: <destroy, use>, <notify, wait>, <trylock that failed, the
// holder's lock>? REQUIRES: one object, two threads.
bool special_order(const Event& first, const Event& second);

}  // namespace heddle::mutator
