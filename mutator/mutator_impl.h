// What a mutator knows and keeps, for its two parts: mutator.cc, which the engines call, and mixed.cc, which makes one child of the mixed mode.
#pragma once

#include <memory>
#include <string_view>

#include "mutator/byte_mutator.h"
#include "mutator/knowledge/bandit.h"
#include "mutator/knowledge/payload_book.h"
#include "mutator/knowledge/race_book.h"
#include "mutator/knowledge/store.h"
#include "mutator/modes/mode.h"
#include "mutator/mutator.h"
#include "mutator/operators/operator.h"
#include "schema/codec.h"

namespace heddle::mutator {

struct Mutator::Impl {
  explicit Impl(const Options& o) : options(o), store(o.memory_limit), bandit(priors()) {}

  // Arms of the bandit: the moves in their order, then what is no move to be drawn.
  static size_t arm(const Operator& op) { return static_cast<size_t>(&op - operators().data()); }
  static size_t cross_over_arm() { return operators().size(); }
  static size_t shrink_arm() { return operators().size() + 1; }
  // The weight of each arm before anything is known of it.
  std::vector<uint32_t> priors() const;
  // `run` is what the schedule's changes go by; `own` is the run of this very schedule, or null, and what its data go by. They differ where
  // another run has what the child is to be given.
  Context context(Schedule& s, const KnownRun* run, const KnownRun* own, Rng& rng, size_t max_size);

  // Now and then one that the next child shall have; then the run to work on is one that has it.
  const KnownRun* draw_rare_source(const KnownRun* run, Rng& rng);

  // One mutation of `s`, which holds the parent.
  void change(Schedule& s, const KnownRun* run, const KnownRun* own, Rng& rng, size_t max_size, bool foreign);
  // Of its data alone, mostly under the parent's own schedule, so that what the data changed shows.
  void change_data(Context& c, bool reads);
  // Whether that is what the present child is for.
  bool data_first(Rng& rng) const;
  // How often, of 64, a child gets other data bytes beside its other changes.
  uint32_t payload_share(const KnownRun* run) const;
  // By what the run compared, where that is known.
  bool take_data(Context& c);
  // Data bytes that have led somewhere, in another schedule.
  void use_known_payload(Context& c);
  bool take(const Operator& op, Context& c) {
    if (!op.apply(c)) return false;
    apply(op);
    return true;
  }
  void apply(const Operator& op) {
    arms |= Bandit::Arms{1} << arm(op);
    if (used_count < kMaxUsed) used[used_count++] = &op;
  }
  void begin(std::string_view what) {
    used_count = 0;
    arms = 0;
    whole = what;
  }
  // The child that the arms made.
  size_t made(const uint8_t* data, size_t size) {
    const uint64_t hash = hash_input({data, size});
    bandit.made(hash, arms != 0 ? arms : Bandit::Arms{1} << arm(reseed_move));
    child_hash = child_is_whole ? hash : 0;
    return size;
  }
  void forget_child() {
    child_is_whole = false;
    child_hash = 0;
  }
  // Decodes the parent; false: foreign bytes. Engines go on from the last child four times out of five: that one is still here.
  bool read_parent(std::span<const uint8_t> bytes, uint64_t hash) {
    const bool last = hash == child_hash;
    forget_child();
    if (!last) return decode_schedule(bytes, parent);
    std::swap(parent, child);
    return true;
  }
  // Into `data`, cut to max_size where it must be; the size.
  size_t write(Schedule& s, uint8_t* data, size_t max_size, Rng& rng);
  size_t shrink_input(uint8_t* data, size_t size, size_t max_size, Rng& rng);
  // Instead of a mutation: what the mode wants to run now. `parent` is decoded.
  size_t ask_mode(uint8_t* data, size_t max_size, Rng& rng);
  void tell_mode(const KnownRun& run, std::span<const uint8_t> input);

  // Has this set of constraints been tried often enough?
  bool exhausted(const Schedule& s) {
    const uint64_t key = constraint_key(s);
    if (key == 0) return false;
    const uint32_t limit = productive.count(key) ? options.repeats_productive : options.repeats;
    if (tried.count(key) >= limit) return true;
    tried.add(key);
    return false;
  }

  // Whether a child with such a set is made anew. Seldom where nothing has been novel for long: then most sets that can be made have been tried, and a
  // second one costs as much as the first.
  bool may_try_again(Rng& rng) const { return since_novel < kLongSinceNovel || rng.chance(1, 8); }

  static constexpr uint32_t kMaxUsed = 8;
  static constexpr uint64_t kLongSinceNovel = 4096;  // runs
  // Engines run a child at once, or a few calls later; one that they drop must not be waited for.
  static constexpr uint32_t kMaxAwaited = 64;

  Options options;
  RunStore store;
  RaceBook book;
  PayloadBook payloads;
  SeenCounts seen, tried, productive;
  uint64_t since_novel = 0;  // runs
  SourceBook sources;
  const SourceBook::Pair* rare_source = nullptr;  // of the present child
  ByteMutator bytes = nullptr;
  Bandit bandit;
  const Operator& add_plain_move = *operator_by_name("visible_plain_add");
  const Operator& interleave_move = *operator_by_name("interleave");
  const Operator& rare_source_move = *operator_by_name("rf_rare");
  const Operator& new_source_move = *operator_by_name("rf_new");
  const Operator& payload_move = *operator_by_name("payload");
  const Operator& input_to_state_move = *operator_by_name("input_to_state");
  const Operator& join_payloads_move = *operator_by_name("join_payloads");
  const Operator& reseed_move = *operator_by_name("reseed");
  Bandit::Arms arms = 0;  // that made the present child
  const Operator* used[kMaxUsed] = {};
  uint32_t used_count = 0;
  std::string_view whole;  // instead of moves: shrink, cross_over, the name of the mode
  double best_score = 0;
  Schedule parent, child, first;  // kept for their capacity
  bool child_is_whole = false;    // `child` is what write() wrote last
  uint64_t child_hash = 0;        // of the input that `child` is; 0: of none
  ScheduleEncoder encoder;
  std::unique_ptr<Mode> mode;  // null: mixed
  std::string_view mode_name;
  uint64_t awaited[kMaxAwaited] = {};  // hashes of the mode's children that did not run yet
  uint32_t awaited_count = 0;
};

}  // namespace heddle::mutator
