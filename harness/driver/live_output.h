// Tells heddle run how far the search is (schema/live_figures.h).
#pragma once

namespace heddle::driver {

// False: nobody wants to know.
bool begin_live_figures();
// After each execution.
void tell_live_figures();

}  // namespace heddle::driver
