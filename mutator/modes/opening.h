// The opening of `mixed`: who makes its first children. Some are made by other modes' systems, the rest by `mixed` itself. The order is fixed, and
// was chosen by measurement (docs/design/measurements-search.md#the-opening). Every system learns from all runs, so they build on one another: a
// delay of `flow` for a racing access comes from a run of `surw` that made it visible.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class Opening {
 public:
  explicit Opening(const Options& options);

  // Whose turn it is; null: mixed. `has_orders`: there are orders to search, since the parent had more than one thread. `reads_data`: the program's
  // data bytes matter, which these systems do not change; then no two of their children follow each other.
  PublishedMode* turn(bool has_orders, bool reads_data);
  void learn(const KnownRun& run, std::span<const uint8_t> input);
  void made(uint64_t hash, Making how);
  bool over() const { return over_; }

  // What a system asks for, a strategy or a chain, is for one run. If one of them made this input, only the points that it made visible stay. So
  // what `mixed` makes of it is not narrower than what it makes of other inputs.
  void set_free(const EnginePick& pick) const;

 private:
  enum Player : uint8_t { mixed, surw, flow, gopie_hb, kPlayers };

  // The first children, and what follows again and again.
  static constexpr Player kFirst[] = {flow, surw, gopie_hb, mixed};
  static constexpr Player kThen[] = {flow, surw, mixed, gopie_hb, mixed};
  static Player player(uint32_t child);
  void close();

  std::array<std::unique_ptr<PublishedMode>, kPlayers> systems_;  // null: mixed, and what the options switch off
  uint32_t children_;                 // of the opening
  uint32_t child_ = 0;                // the next one
  bool over_;
  PublishedMode* current_ = nullptr;  // made the last child
  std::vector<uint64_t> made_;        // hashes of their children
};

}  // namespace heddle::mutator
