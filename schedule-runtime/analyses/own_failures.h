#pragma once

namespace heddle::rt {

// Sets the sink of trace/own_failure.h.
void install_own_failures();

// A sanitizer that ends the process after its report, as UBSan does, is told of, too. `engines`: this is the engine's process, and the engine saves
// the input then. Called again, the last one counts.
void follow_sanitizers(bool engines);

}  // namespace heddle::rt
