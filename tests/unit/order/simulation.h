// Random legal runs: programs over every kind of operation that has a clock rule, as the runtime records them.
#pragma once

#include "trace_builder.h"

namespace heddle {

// What the simulator knows about an event in addition to the record. Its meaning depends on the kind.
struct Truth {
  enum Direction : uint8_t { none, send, receive };
  Direction direction = none;   // of a channel operation that moved a value, as a select's case too
  uint32_t number = 0;          // which value of its channel it was, from 0; phase of a barrier; the thread that is created
  uint32_t meets = kNoEvent;    // the other half of a rendezvous
  uint32_t with = kNoEvent;     // the first half: the thread of the other, as the runtime knows it
};

struct SimulatedRun {
  TraceBuilder trace;
  std::vector<Truth> truth;
  std::vector<uint32_t> capacity;  // by object
};

// `stale_reads`: atomics may give older values than the last, as weak memory does. `starts`: each thread begins with its thread_start, as under
// the runtime; else some are known to be created by their record alone, or not at all.
SimulatedRun simulate(uint32_t seed, bool stale_reads, bool starts = false);

}  // namespace heddle
