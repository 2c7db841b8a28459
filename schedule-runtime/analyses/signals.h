// Fatal signals: heddle prints the interleaving first. Then the previous handler goes on.
#pragma once

#include <cstdint>

#include "trace/observer.h"

namespace heddle::rt {

// Joins the chain of handlers at the first execution at which the engine's handlers exist. (libFuzzer sets its handlers after
// LLVMFuzzerInitialize, in which the first execution may be, and keeps handlers that it finds.) For signals that ASan handles, this only
// corrects the place: ASan asks for the interleaving itself (__asan_on_error).
extern const Observer kFatalSignals;

// Includes the first execution of the process, which may have been the certificate's.
uint64_t executions_begun();

// So many executions of this search had processes of their own. They count, too.
void add_executions_elsewhere(uint64_t count);

// The instruction that a non-fatal signal has interrupted, while its handler runs; 0: no handler runs.
uintptr_t interrupted_at();

// What follows at this signal after heddle's own work: this instead of what there was. SIG_DFL: the default action.
void set_next_handler(int signal, void (*handler)(int));

// The certificate's execution was in another process.
void skip_certificate();

}  // namespace heddle::rt
