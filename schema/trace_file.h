// A recorded run as bytes and as text, and comparisons of runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schema/coherence.h"
#include "schema/event.h"
#include "schema/text.h"

namespace heddle {

// A run that owns its records.
struct StoredTrace {
  uint64_t input_hash = 0;
  uint64_t seed = 0;
  uint32_t flags = 0;  // RunFlag
  uint64_t payload_reads = 0;
  uint32_t steps = 0;
  std::vector<Event> events;
  std::vector<ThreadRecord> threads;
  std::vector<ObjectRecord> objects;
  std::vector<SiteRecord> sites;
  std::vector<RacingPair> races;
  std::vector<ChainResult> chains;
  std::vector<SelectCase> select_cases;
  std::vector<ChannelRecord> channels;
  std::vector<Comparison> comparisons;
  std::vector<StoreOrder> coherence;

  // Spans into the vectors: valid until the trace is changed or destroyed.
  RunSummary summary() const;
};

std::vector<uint8_t> encode_trace(const RunSummary& run);

// False, and `out` unchanged: the bytes are no trace, or an event names a thread, object or site that is not in it, or a select case or a
// channel names such an object. Select cases whose select is no event are left out. After true, every index in `out` may be used without a
// check. References that can be beyond the end of a truncated recording (partner, create_event, first_event, parent, blocked_on, holder)
// are set to "none", and unknown enum values to their default. Any alignment. Allocates at most a small multiple of the given size.
bool decode_trace(std::span<const uint8_t> bytes, StoredTrace& out);

// One event per line, then the threads that did not finish. The text is the same in every process that makes the same run (no addresses, no
// module offsets, no values).
std::string trace_to_text(const RunSummary& run, const SiteNames* names = nullptr);

// A hash of everything that identifies a run across processes: for each event, in order, its thread, site, object, kind, occurrence,
// outcome, memory order, partner and choice, and whether it finished. Under a weak memory model, also the modification orders.
uint64_t trace_hash(const RunSummary& run);

inline constexpr size_t kNoDifference = ~size_t{0};

// Index of the first event in which the runs differ, by the data of trace_hash(). If one run is a prefix of the other, the event_count of
// the shorter one.
size_t first_difference(const RunSummary& a, const RunSummary& b);

}  // namespace heddle
