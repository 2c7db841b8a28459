// Untrusted bytes <-> schedules.
//
// Bytes that do not verify as a schedule are "foreign": they run as the payload of the default schedule, so that an existing data corpus
// works unchanged. Numbers are clamped, and never rejected because of their meaning. No allocation depends on sizes that the input claims.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "schema/schedule.h"

namespace heddle {

// A schedule that is read in place: spans into the given bytes, valid as long as these. No allocation, so the runtime uses this.
struct ScheduleView {
  bool foreign = true;
  uint16_t version = kFormatVersion;
  uint64_t seed = 0;
  StrategyId strategy = StrategyId::automatic;
  MemoryModel memory_model = MemoryModel::sc;
  uint8_t pct_depth = 0;
  uint8_t stickiness = 0;
  uint32_t step_estimate = 0;
  SiteId surw_site = 0;
  std::span<const Element> elements;
  std::span<const ReadsFrom> reads_from;
  std::span<const SelectPreference> selects;
  std::span<const Delay> delays;
  std::span<const GraphNode> graph;
  std::span<const SiteId> visible_plain;
  std::span<const ThreadWeight> weights;
  std::span<const uint8_t> payload;
  uint8_t assumes = 0;
};

// REQUIRES: `bytes` is aligned to 16. Vectors longer than the limits of schedule.h are cut. Enums out of range become their default. Never
// fails: see "foreign" above.
ScheduleView view_schedule(std::span<const uint8_t> bytes);

// An owned copy with the same contents, for bytes of any alignment. False: the bytes are foreign (`out` is then the default schedule with
// the bytes as its payload). REQUIRES: `bytes` is not memory of `out`.
bool decode_schedule(std::span<const uint8_t> bytes, Schedule& out);

// The canonical bytes: equal schedules (after clamping) have equal bytes.
std::vector<uint8_t> encode_schedule(const Schedule& schedule);

// The same for many schedules, one after the other. Reuses its memory.
class ScheduleEncoder {
 public:
  ScheduleEncoder();
  ~ScheduleEncoder();
  // Clamps the schedule. The bytes are valid until the next call.
  std::span<const uint8_t> encode(Schedule& schedule);

 private:
  struct Builder;
  std::unique_ptr<Builder> builder_;
};

// Gives what encoding and decoding would give: lengths cut, enums and reserved bytes corrected.
void clamp_schedule(Schedule& schedule);

// Whether the bytes contain an encoded schedule, or the beginning of one.
bool holds_schedule(std::span<const uint8_t> bytes);

// The key of a run: XXH3-64 of the exact bytes of the input.
uint64_t hash_input(std::span<const uint8_t> bytes);

}  // namespace heddle
