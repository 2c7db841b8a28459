// The runtime's one door: run an input, get what happened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "schema/event.h"

namespace heddle::rt {

// The body of an execution: LLVMFuzzerTestOneInput's shape.
using Body = int (*)(const uint8_t* data, size_t size);

// Runs `body` once as the main controlled thread under the schedule that `input` encodes, and returns what was
// recorded. The summary's memory belongs to the runtime and is valid until the next call. A finding prints its report and
// ends the process through the engine (feedback/die.h) before this returns, unless it is switched off.
// REQUIRES: called on one thread of the process only, never from inside an execution.
//
// The body may run twice; the second run is watched for races (engine/known_orders.h). `between` then does what the caller does between
// two executions. Null: nothing.
const RunSummary& run_one(std::span<const uint8_t> input, Body body, void (*between)() = nullptr);

// What the body returned in the last execution (libFuzzer's "do not keep" is -1).
int last_body_result();

// True on a thread that the runtime controls, that is inside an execution.
bool controlled();

}  // namespace heddle::rt
