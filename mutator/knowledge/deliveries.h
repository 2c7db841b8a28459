// Signals of a run that one thread sent and that interrupted another. The handler runs before the next operation of its thread. So when the
// signal is sent decides between which two operations that is: sending conflicts with each operation of the receiver
// (docs/design/runtime-laws.md#handlers-on-other-threads).
#pragma once

#include <vector>

#include "mutator/knowledge/known_run.h"
#include "schema/schedule.h"

namespace heddle::mutator {

struct Delivery {
  uint32_t send, handle;  // events
  uint32_t interrupted;   // the operation that the handler came before; kNoEvent: none, or not known
  uint32_t late;          // an operation of the receiver that went after the signal was sent, just before the handler; kNoEvent
};

// In the order of the handlers.
std::vector<Delivery> deliveries_of(const KnownRun& run);

// A handler whose signal is due when its thread has come to this operation comes before it, or after it.
SelectPreference handler_comes(bool after, const KnownRun& run, uint32_t operation);
// The handler comes before the same operation as in the run.
SelectPreference handler_comes_again(const KnownRun& run, uint32_t handle);

}  // namespace heddle::mutator
