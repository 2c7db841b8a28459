#pragma once

namespace heddle::rt {

// Sets the sink of trace/own_failure.h.
void install_own_failures();

}  // namespace heddle::rt
