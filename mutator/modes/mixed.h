// `mixed`, the default mode. It changes the input that the engine picked by a few of all moves (operators/). Each move is drawn by its weight and its recent
// success. The mode has its own books of what past runs showed: payloads, sources of reads, racing pairs, sets of constraints that were tried.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mutator/knowledge/bandit.h"
#include "mutator/knowledge/payload_book.h"
#include "mutator/knowledge/race_book.h"
#include "mutator/knowledge/seen.h"
#include "mutator/knowledge/source_book.h"
#include "mutator/modes/mode.h"
#include "mutator/modes/opening.h"
#include "mutator/operators/operator.h"

namespace heddle::mutator {

class Mixed final : public Mode {
 public:
  explicit Mixed(Shared& shared) : shared_(shared), options_(shared.options), opening_(shared), bandit_(priors()) {}

  void learn(const KnownRun& run, std::span<const uint8_t> input) override;
  void next(const EnginePick& pick, Schedule& child, Rng& rng) override;
  void cross(const EnginePick& pick, OtherParent& other, Schedule& child, Rng& rng) override;
  void made(uint64_t hash, Making how) override;
  std::string last_moves() const override;
  std::string statistics() const override;

 private:
  // Arms of the bandit: the moves in their order, then those that are never drawn.
  static size_t arm(const Operator& op) { return static_cast<size_t>(&op - operators().data()); }
  static size_t cross_over_arm() { return operators().size(); }
  static size_t shrink_arm() { return operators().size() + 1; }
  static size_t opening_arm() { return operators().size() + 2; }
  // The weight of each arm before any results.
  std::vector<uint32_t> priors() const;
  // `run` is used for changes of the schedule. `own` is the run of exactly this schedule, or null, and is used for its data. They differ if
  // the child is to get something from another run.
  Context context(Schedule& s, const KnownRun* run, const KnownRun* own, Rng& rng, size_t max_size);

  // True: the opening has made this child.
  bool open(const EnginePick& parent, Schedule& child, Rng& rng);
  // Sometimes draws a rare pair that the next child shall have. Then returns a run that has this pair, to work on.
  const KnownRun* draw_rare_source(const KnownRun* run, Rng& rng);

  // One mutation of `s`, which contains the parent.
  void change(Schedule& s, const EnginePick& parent, const KnownRun* run, const KnownRun* own, Rng& rng);
  // Changes only the data, mostly with the parent's own schedule, so that the effect of the data is visible.
  void change_data(Context& c, bool reads);
  // Whether the current child is for such a change.
  bool data_first(Rng& rng) const;
  // In how many of 64 children the data bytes are changed in addition to other changes.
  uint32_t payload_share(const KnownRun* run, const Schedule& parent) const;
  // Uses what the run compared, if known.
  bool take_data(Context& c);
  // Mostly begins as an execution graph with one change. For runs under a weak memory model.
  bool change_graph(Schedule& s, Context& c);
  // Takes data bytes that were useful in another schedule.
  void use_known_payload(Context& c);
  bool take(const Operator& op, Context& c);
  void begin() {
    used_count_ = 0;
    arms_ = 0;
  }

  // Was this set of constraints tried often enough?
  bool exhausted(const Schedule& s);
  // Whether a child with such a set is made again, and its chains are looked at. Rarely, if nothing
  // was novel for long: then most possible sets have been tried, and this costs a part of an
  // execution.
  bool may_try_again(Rng& rng) const { return since_novel_ < kLongSinceNovel || rng.chance(1, 8); }

  static constexpr uint32_t kMaxUsed = 8;
  static constexpr uint64_t kLongSinceNovel = 4096;  // runs

  Shared& shared_;
  const Options& options_;
  RaceBook races_;
  PayloadBook payloads_;
  SourceBook sources_;
  SeenCounts seen_, tried_, productive_;
  uint64_t since_novel_ = 0;                       // runs
  const SourceBook::Pair* rare_source_ = nullptr;  // of the present child
  Opening opening_;
  Bandit bandit_;
  const Operator& add_plain_move_ = *operator_by_name("visible_plain_add");
  const Operator& interleave_move_ = *operator_by_name("interleave");
  const Operator& rare_source_move_ = *operator_by_name("rf_rare");
  const Operator& new_source_move_ = *operator_by_name("rf_new");
  const Operator& source_change_move_ = *operator_by_name("source_change");
  const Operator& place_change_move_ = *operator_by_name("place_change");
  const Operator& payload_move_ = *operator_by_name("payload");
  const Operator& input_to_state_move_ = *operator_by_name("input_to_state");
  const Operator& join_payloads_move_ = *operator_by_name("join_payloads");
  const Operator& reseed_move_ = *operator_by_name("reseed");
  Bandit::Arms arms_ = 0;  // that made the present child
  const Operator* used_[kMaxUsed] = {};
  uint32_t used_count_ = 0;
  std::string whole_;       // instead of moves, or before them
  Schedule first_;          // kept for its capacity
};

std::unique_ptr<Mode> make_mixed(std::string_view name, Shared& shared);

}  // namespace heddle::mutator
