// The engine uses descriptors 0 to 2 too, so changes by an execution of a harness are undone at its end. (In whole programs, all descriptors
// are restored: restore/process_state.h.) Until then, reports go where they went before (base/error_output.h).
#pragma once

namespace heddle::rt {

// Called by shims, before a call that closes the descriptors `first` to `last` or reuses their numbers.
void standard_descriptors_change(unsigned first, unsigned last);

}  // namespace heddle::rt
