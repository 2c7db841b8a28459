// A recorded run in shared memory, for a mutator in another process. There is one writer, the target, and one reader, which reads while the
// target is not running.
//
// The header tells whether the data is complete. If a target dies while it writes, the region reads as "nothing". The records follow in the
// order of the counts, each as in schema/event.h. Sites are left out, because only reports need them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schema/coherence.h"
#include "schema/event.h"

namespace heddle {

inline constexpr uint64_t kRunChannelMagic = 0x4C4E484352444548;  // "HEDRCHNL"
inline constexpr uint32_t kRunChannelLayout = 4;

// Environment variable of the target: the file to map.
inline constexpr char kRunChannelVariable[] = "HEDDLE_RUN_CHANNEL";

// Events beyond this limit are left out. Operations that never finished are at the end of a run, and are kept.
inline constexpr uint32_t kChannelEvents = 4096;
inline constexpr uint32_t kChannelUnfinished = 256;
inline constexpr uint32_t kChannelThreads = 1 << 14;
inline constexpr uint32_t kChannelObjects = 1 << 16;
inline constexpr uint32_t kChannelRaces = 256;
inline constexpr uint32_t kChannelChains = 16;
inline constexpr uint32_t kChannelCases = 1 << 13;
inline constexpr uint32_t kChannelChannels = 1 << 12;
inline constexpr uint32_t kChannelComparisons = 1 << 10;
inline constexpr size_t kRunChannelSize = size_t{4} << 20;

struct RunChannelHeader {
  uint64_t magic;
  uint32_t layout;
  uint32_t complete;  // 0 while it is written
  uint64_t number;    // number of this run, counted by the writer from 1. An equal number means the same run
  uint64_t input_hash;
  uint64_t seed;
  uint32_t flags;
  uint32_t steps;
  uint32_t events, threads, objects, races, chains, cases, channels, comparisons, coherence, reserved;
  uint64_t payload_reads;
};
static_assert(sizeof(RunChannelHeader) == 96);

// `memory` is kRunChannelSize bytes, 8-aligned. Allocates nothing.
void write_run(void* memory, const RunSummary& run);

// False: there is no complete run. The spans of `out` point into `memory`. Their indices are not checked (KnownRun does that).
bool read_run(const void* memory, RunSummary& out, uint64_t& number);

}  // namespace heddle
