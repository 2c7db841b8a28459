// Whether a call that sets the user, the group or the groups of the process would change any of them. Servers set what they have already:
// they drop privileges that they may not have.
#pragma once

#include <string_view>

#include "intercept/word_call.h"

namespace heddle::rt {

// `call` is the C library's name, the words are its arguments. False for any other call, and for what cannot be told (initgroups).
bool keeps_identity(std::string_view call, Word a, Word b, Word c);

}  // namespace heddle::rt
