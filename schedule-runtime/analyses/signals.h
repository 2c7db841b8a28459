// Fatal signals: heddle prints the interleaving first. Then the handler that was there before goes on.
#pragma once

#include <cstdint>

#include "trace/observer.h"

namespace heddle::rt {

// Joins the chain at the first execution at which the engine's own handlers are there. (libFuzzer sets its handlers after
// LLVMFuzzerInitialize, in which the first execution may be, and leaves alone what it finds set.) Of those signals that ASan handles only
// the place is put right on their way: ASan asks for the interleaving itself (__asan_on_error).
extern const Observer kFatalSignals;

// The first one of the process included, which the certificate may have taken.
uint64_t executions_begun();

// Which instruction the signal has interrupted whose handler runs, one that is not fatal; 0: none does.
uintptr_t interrupted_at();

// The certificate has had its execution in another process.
void skip_certificate();

}  // namespace heddle::rt
