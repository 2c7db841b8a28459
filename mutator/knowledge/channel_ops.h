// Channels and selects in a run: what each operation did to which channel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mutator/knowledge/known_run.h"

namespace heddle::mutator {

enum class ChannelOp : uint8_t { none, send, receive, close };

// Keeps a reference to the run, which must outlive it. Costs almost nothing for a run without channels.
class ChannelOps {
 public:
  explicit ChannelOps(const KnownRun& run);

  // What the event did, or, if it never finished, waited to do. None for a select that took its default case, and for a select that never
  // finished (it waited for many things at once: see cases()).
  ChannelOp op(uint32_t event) const;
  // All cases of a select, in their order. Empty if the event is no select.
  std::span<const SelectCase> cases(uint32_t event) const;
  // The case that it took. Null: the default case, a select that never finished, or no select.
  const SelectCase* taken(uint32_t event) const;
  // Null: the object is no channel of this run.
  const ChannelRecord* channel(uint32_t object) const;
  bool buffered(uint32_t object) const {
    const ChannelRecord* c = channel(object);
    return c != nullptr && c->capacity != 0;
  }
  std::span<const uint32_t> unfinished_selects() const { return unfinished_; }
  const KnownRun& run() const { return run_; }

 private:
  const KnownRun& run_;
  std::vector<uint32_t> first_case_;  // index by event, plus 1; empty if there is no select
  std::vector<uint32_t> record_;      // index by object, plus 1; empty if there is no channel
  std::vector<uint32_t> unfinished_;
};

}  // namespace heddle::mutator
