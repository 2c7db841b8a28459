// Who makes the children of `mixed`. The opening: most of the first ones are made by other systems,
// the rest by the moves. After it every second child is a walk: a plain strategy with a fresh seed and
// no constraint, since a constraint also excludes. In the end, every second child returns to a rare
// state of the shared memory. The order is fixed, and was chosen by measurement
// (docs/design/measurements-search.md#the-opening). Every system learns from all runs of the opening,
// so they build on one another: a delay of `flow` for a racing access comes from a run of a walk that
// made it visible.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <unordered_set>

#include "mutator/modes/mode.h"

namespace heddle::mutator {

class Unseen;

class Opening {
 public:
  explicit Opening(Shared& shared);

  // Whose turn it is; null: the moves. `has_orders`: there are orders to search, since the parent had more than one thread. `reads_data`: the program's
  // data bytes matter, which these systems do not change; then they make one child in four after the first ones.
  Mode* turn(bool has_orders, bool reads_data);
  // The turn is a walk's. It asks for nothing that other data bytes could spoil.
  bool walks_now() const { return current_ != nullptr && current_ == systems_[walks].get(); }
  void learn(const KnownRun& run, std::span<const uint8_t> input);
  void made(uint64_t hash, Making how);

  // What a system asks for, a strategy or a chain, is for one run. If one of them made this input, only the points that it made visible stay. So
  // what `mixed` makes of it is not narrower than what it makes of other inputs.
  void set_free(const EnginePick& pick) const;

 private:
  enum Player : uint8_t { moves, walks, flow, unseen, orders, far, outcomes, graphs, states, kPlayers };

  // The first children, and what follows again and again. If the first run shows a cycle of locks, the first two change places. Under weak memory
  // a run is not only an order, and so `orders` has nothing to try. Its turns are those of `graphs`, as is one child in four after the opening.
  static constexpr Player kFirst[] = {flow, unseen, orders, unseen, orders};
  static constexpr Player kThen[] = {orders, walks, orders, unseen, orders, far, orders, unseen};
  // While there are outcomes that no run has had, each of them makes a child after so many others, beside the order above. Also after the
  // opening: what waits only on a rare path is then known at last.
  static constexpr uint32_t kBetweenOutcomes = 2;
  // After the opening, walks and moves take turns. If so many children have not found the bug, it is probably deep: then every second child returns to
  // a rare state.
  static constexpr uint32_t kUntilDeep = 1024;
  // If the data bytes matter: after kFirst, one child in so many of the opening is a system's, and of the later ones, one return in so many is made.
  static constexpr uint32_t kAmongData = 4;
  // Whether this system is there and has something left to try.
  bool ready(Player player) const { return systems_[player] != nullptr && !systems_[player]->idle(); }
  Player next_player(bool reads_data);
  Player next_in_order();
  Player later_player(bool reads_data);
  bool over() const { return child_ >= children_; }

  Shared& shared_;
  std::array<std::unique_ptr<Mode>, kPlayers> systems_;  // null: the moves, and what the options switch off
  const Unseen* pairs_ = nullptr;     // what `unseen` knows, until the opening is over
  bool cycle_first_ = false;          // the first run shows a cycle of locks
  uint32_t children_;                 // of the opening; 0: there is none, and no walks
  uint32_t child_ = 0;                // the next one
  uint32_t later_ = 0;                // children after it
  uint32_t since_outcome_ = 0;        // children, of it or later, since the last one with an outcome
  uint32_t since_ = 0;                // children since the last one of a system
  Mode* current_ = nullptr;           // made the last child
  uint64_t last_ = 0;                 // hash of the last child, if a system made it
  std::unordered_set<uint64_t> made_;  // hashes of their children that can be parents
};

}  // namespace heddle::mutator
