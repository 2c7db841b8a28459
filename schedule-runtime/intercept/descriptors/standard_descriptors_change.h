// Descriptors 0 to 2 are the engine's as well: what a harness's execution makes of them is put back at its end. (Of whole programs all descriptors
// are, restore/process_state.h.)
#pragma once

namespace heddle::rt {

// From shims, before a call that closes the descriptors `first` to `last` or gives their numbers to something else.
void standard_descriptors_change(unsigned first, unsigned last);

}  // namespace heddle::rt
