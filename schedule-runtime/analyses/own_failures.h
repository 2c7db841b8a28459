#pragma once

namespace heddle::rt {

// Sets the sink of trace/own_failure.h.
void install_own_failures();

// To be called when the process ends: if an execution is under way, that is a finding, and does not return. (What calls exit() in the program is told
// before: this is of calls that the C library makes by itself.)
void process_ends();

// From now on, a sanitizer that ends the process after its report, like UBSan, also leads to a finding. `engines`: this is the engine's process, and the
// engine then saves the input. Of several calls, the last one counts.
void follow_sanitizers(bool engines);

}  // namespace heddle::rt
