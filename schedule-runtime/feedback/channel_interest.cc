#include "feedback/channel_interest.h"

#include "base/reserved_array.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kMessage = 0x4D455353, kFound = 0x464F554E, kLife = 0x4C494645, kFullness = 0x46554C4C;

// The state of the channel before and after an operation.
enum : uint8_t { kFoundEmpty = 1, kFoundClosed = 2, kLeftFull = 4, kLeftEmpty = 8, kNeverLeft = 16 };

// State of a channel during the pass, by object. Entries of earlier runs are recognised by their epoch.
struct State {
  uint32_t epoch;
  uint32_t record;
  uint32_t count;
  bool closed;
};
// The case that a select took, by event.
struct Taken {
  uint32_t epoch;
  Kind kind;
};
constinit ReservedArray<State> g_states;
constinit ReservedArray<Taken> g_taken;
constinit uint32_t g_epoch = 0;

void begin(const RunSummary& run) {
  g_states.reserve(Recorder::kMaxObjects);
  g_taken.reserve(Recorder::kMaxEvents);
  ++g_epoch;
  for (uint32_t i = 0; i < run.channel_count; ++i) g_states[run.channels[i].object] = {g_epoch, i, 0, false};
  for (uint32_t i = 0; i < run.select_case_count; ++i) {
    const SelectCase& c = run.select_cases[i];
    if (c.event >= run.event_count) continue;
    const Event& select = run.events[c.event];
    if (!select.finished() || select.choice != c.index) continue;
    const bool send = c.direction == static_cast<uint8_t>(CaseDirection::send);
    g_taken[c.event] = {g_epoch, send ? Kind::channel_send : Kind::channel_receive};
  }
}

// The channel operation that the event performed. `none` for a select that took its default case or still waits.
Kind operation(uint32_t index, const Event& e) {
  if (e.kind != Kind::select) return e.kind >= Kind::channel_send && e.kind <= Kind::channel_close ? e.kind : Kind::none;
  return g_taken[index].epoch == g_epoch ? g_taken[index].kind : Kind::none;
}

void channels(const RunSummary& run, Collector& collector) {
  for (uint32_t i = 0; i < run.channel_count; ++i) {
    const ChannelRecord& c = run.channels[i];
    collector.add_hashed(mix(c.site ^ kLife, static_cast<uint64_t>(c.made) << 1 | c.closed), Interest::outcome);
    if (c.capacity != 0) {
      collector.add_hashed(mix(c.site ^ kFullness, static_cast<uint64_t>(c.peak) * 10 / c.capacity), Interest::outcome);
    }
  }
}

}  // namespace

void collect_channel_features(const RunSummary& run, Collector& collector) {
  begin(run);
  channels(run, collector);
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    const Kind kind = operation(i, e);
    if (kind == Kind::none || g_states[e.object].epoch != g_epoch) continue;
    State& s = g_states[e.object];
    const uint32_t capacity = run.channels[s.record].capacity;
    uint32_t state = (s.closed ? kFoundClosed : 0) | (capacity != 0 && s.count == 0 ? kFoundEmpty : 0);
    const bool passed = e.finished() && e.outcome != Outcome::failure;
    if (!e.finished()) state |= kNeverLeft;
    if (passed && kind == Kind::channel_send && capacity != 0 && s.count < capacity) ++s.count;
    if (passed && kind == Kind::channel_receive && s.count != 0) --s.count;
    if (kind == Kind::channel_close && passed) s.closed = true;
    if (capacity != 0) state |= (s.count == capacity ? kLeftFull : 0) | (s.count == 0 ? kLeftEmpty : 0);
    collector.add_hashed(mix(e.site ^ kFound, static_cast<uint64_t>(kind) << 8 | state), Interest::outcome);
    // Counted, because the fuzzing engine puts the counts into ranges of powers of two.
    if (passed && kind == Kind::channel_receive && e.partner < run.event_count) {
      collector.add_hashed(mix(run.events[e.partner].site ^ kMessage, e.site), Interest::pair);
    }
  }
}

}  // namespace heddle::rt
