// A system of the opening: outcomes of free choices that no run has had. A wait ends without a cause, or its time runs out early; a signal
// wakes another waiter; a select or a poll takes another case; time passes before a thread reads the clock. Orders alone do not show the
// bugs behind them (a wait without a loop, a time-out that counts as an answer), and a draw rarely takes such an outcome.
//
// One outcome is asked for in each child, and each outcome once, of any thread that comes to that position. The child repeats the run that had
// the choice: decisions are hashes, so it comes to the choice again. With a fresh seed it often does not. (GFuzz, too, flips the cases of
// selects that it has recorded, but many at once: docs/design/gfuzz.md.)
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mutator/knowledge/choice_points.h"
#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class Outcomes : public PublishedSystem {
 public:
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  // With the oldest outcome that is left. If there is none, with a fresh seed alone.
  Schedule next(const Schedule& parent, Rng& rng) override;
  bool idle() const override;

 private:
  static constexpr size_t kMost = 256;
  static constexpr uint32_t kAllLearnt = 64;  // runs. Of later ones, only those with a choice at a new position are learnt

  struct Alternative {
    SelectPreference asked;
    size_t run;           // in runs_: the first one that had this choice
    bool is_left = true;  // no run has had it, and it was not tried
  };
  bool has_new_place(const KnownRun& run);
  // A new one comes from the run that runs_ gets next. Null: there are too many.
  Alternative* find_or_add(const SelectPreference& p);

  uint32_t learnt_ = 0;
  std::unordered_set<uint64_t> places_;  // positions of choices
  std::vector<Alternative> alternatives_;
  std::vector<Schedule> runs_;
  std::unordered_map<uint64_t, size_t> index_;  // in alternatives_, by position and choice
  std::vector<Candidate> candidates_;           // of learn(), kept for its capacity
};

}  // namespace heddle::mutator
