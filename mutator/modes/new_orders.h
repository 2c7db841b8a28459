// A system of the opening: orders that no run had. Each child repeats a run up to one race, and turns that race round, or it turns one choice,
// as in `exhaust` (docs/design/exhaust.md#how-they-are-made). Unlike there, the runs may be anybody's, chance decides what comes after the
// prefix, and the next child is one whose pair of positions, and then whose objects, were turned round least often. So the search does not
// stay near its first run.
// A prefix that another run has made meanwhile is dropped.
//
// A second one turns round pairs that lie further apart: other conflicting operations stand between the two.
//
// Why: a small program has few orders, and a random search makes the same ones again and again
// (docs/design/measurements-search.md#the-opening).
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mutator/knowledge/object_groups.h"
#include "mutator/knowledge/race_book.h"
#include "mutator/modes/published_mode.h"
#include "mutator/orders/order_children.h"
#include "mutator/orders/run_reversals.h"

namespace heddle::mutator {

class NewOrders : public PublishedSystem {
 public:
  // near: the races of a run, and accesses to ordinary variables that lie far apart. far: all pairs that do (mutator/orders/far_reversals.h).
  enum class Reach : uint8_t { near, far };
  explicit NewOrders(Reach reach = Reach::near) : reach_(reach) {}

  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;
  bool idle() const override { return left_.empty(); }

 private:
  static constexpr size_t kMostLeft = 1024;  // children to make
  // Of a longer run, most prefixes would not come true, and the orders are too many anyway.
  static constexpr size_t kLongestRun = 256;  // events
  static constexpr size_t kMostMade = 64;     // runs that are kept

  struct Child {
    Schedule schedule;
    uint64_t position;  // of the operation that went first
    uint64_t places;    // what it turns round, without threads
    ThreadId overtakes = kAnyThread, overtaken = kAnyThread;  // of a race
    uint64_t prefix;
    RunReversals::Shape shape;
  };
  struct Made {
    explicit Made(const KnownRun& from) : run(copy(from)), reversals(*run) {}
    static std::unique_ptr<const KnownRun> copy(const KnownRun& from);
    bool has(const Child& child) const { return reversals.begins_with(child.shape, child.prefix); }

    std::unique_ptr<const KnownRun> run;
    RunReversals reversals;
  };
  // Known races are choice points in this schedule. Otherwise its orders are coarser than those of other runs.
  bool shows_races(const Schedule& schedule) const;
  void add_children(const Made& made, const Schedule& base);
  void add(const KnownRun& run, OrderChild&& child);
  size_t draw(Rng& rng) const;  // an index in left_

  const Reach reach_;
  RaceBook races_;
  uint32_t turn_ = 0;
  ObjectGroups groups_;
  std::vector<Child> left_;
  std::deque<Made> made_;  // the latest runs with a new order
  std::unordered_map<uint64_t, uint32_t> turned_;  // by Child::places: how often
  std::unordered_set<uint64_t> orders_;            // that runs had
  std::unordered_set<uint64_t> prefixes_;          // of children, made or left
};

}  // namespace heddle::mutator
