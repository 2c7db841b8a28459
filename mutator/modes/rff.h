// `rff`: greybox fuzzing over abstract schedules of reads-from constraints (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for Concurrency
// Testing, ASPLOS 2024; docs/design/strategies.md#reads-from-constraints).
//
// A child is a kept schedule with one more constraint, one exchanged, or one negated, and always a fresh seed; POS decides where the constraints leave things
// open. A schedule is kept when a constraint of its own comes true, or is violated, for the first time, or when its run shows a pair of positions that no run
// had. Kept schedules have turns; how long a turn is goes by how rare the schedule's combination of satisfied constraints is (AFLFast's cut-off exponential).
//
// What differs from the original: edge coverage is the engine's and does not reach a mode, so new pairs of positions stand for it; locks are reads and writes
// of the mutex as there; all plain accesses that race are choice points, where the original selects them before the campaign.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mutator/knowledge/race_book.h"
#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class Rff : public PublishedSystem {
 public:
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  Schedule next(const Schedule& parent, Rng& rng) override;

 private:
  static constexpr size_t kMaxPairs = 1 << 12, kMaxKept = 1 << 10;
  static constexpr uint32_t kStage = 16;    // children of a turn, before its energy counts
  static constexpr uint32_t kMostEnergy = 16 * kStage;

  // A kept schedule.
  struct Kept {
    Schedule schedule;
    uint64_t path;       // the combination of its constraints that came true
    uint32_t turns = 0;  // that it has had
  };

  bool learn_pairs(const KnownRun& run);
  // The constraints of the schedule that came true in the run; `news`: one did so, or was violated, for the first time.
  uint64_t judge(const KnownRun& run, const Schedule& schedule, bool& news);
  void begin_turn();
  ReadsFrom draw_constraint(Rng& rng) const;
  void mutate(Schedule& schedule, Rng& rng) const;

  RaceBook races_;
  std::vector<ReadsFrom> pairs_;              // all that can be asked for
  std::unordered_set<uint64_t> known_pairs_;  // the same, hashed
  std::unordered_set<uint64_t> outcomes_;     // of constraints, that have been seen
  std::unordered_map<uint64_t, uint32_t> runs_of_path_;
  uint64_t runs_ = 0;
  std::vector<Kept> kept_;
  size_t turn_ = 0;     // whose it is
  uint32_t left_ = 0;   // children of the turn
};

}  // namespace heddle::mutator
