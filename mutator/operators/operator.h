// A move: one way to change a schedule. One file per move, one line in registry.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mutator/knowledge/relations.h"
#include "mutator/knowledge/seen.h"
#include "mutator/knowledge/source_book.h"
#include "mutator/mutator.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

// The relations of a run, computed when a move first needs them: many moves do not.
class RunRelations {
 public:
  RunRelations(std::nullptr_t) {}
  RunRelations(const KnownRun& run) : run_(&run) {}
  RunRelations(const Relations* relations) : relations_(relations) {}
  explicit operator bool() const { return run_ != nullptr || relations_ != nullptr; }
  const Relations& operator*() const {
    if (relations_ == nullptr) relations_ = &run_->relations();
    return *relations_;
  }
  const Relations* operator->() const { return &**this; }

 private:
  const KnownRun* run_ = nullptr;
  mutable const Relations* relations_ = nullptr;
};

struct Context {
  Schedule& schedule;
  RunRelations run;                   // of the parent, or of a substitute; null: nothing is known
  std::span<const RacingPair> races;  // of the parent, else of all runs
  Rng& rng;
  SeenCounts& seen;
  const Options& options;
  Mutator::ByteMutator byte_mutator;  // may be null
  size_t payload_room;                // bytes the payload may have
  bool own_run = false;               // `run` is the run of exactly this schedule, not a substitute
  uint64_t payload_reads = 0;         // which of the schedule's data bytes a run has read, as in RunSummary; 0: not known
  std::span<const Comparison> comparisons = {};  // from a run with these data bytes, else from another
  std::span<const uint8_t> other_payload = {};   // of another run that was novel
  const SourceBook* sources = nullptr;            // of all runs
  const SourceBook::Pair* rare_source = nullptr;  // to be asked for
};

// The subject of a move. Options has a weight for each.
enum class Group : uint8_t { order, reads_from, plain, search, select, flow, payload };

std::string_view group_name(Group group);

struct Operator {
  std::string_view name;
  Group group;
  uint8_t weight;  // the weight among all moves if the group's weight is 100
  std::string_view meaning;  // one sentence for docs/reference/moves.md
  // True: the schedule has changed. False: the move does not apply here, and nothing has changed.
  bool (*apply)(Context&);
  bool may_keep_seed;  // a child may keep the seed, so that it replays its parent up to the change
};

std::span<const Operator> operators();
const Operator* operator_by_name(std::string_view name);

// The moves. Each is in the file of its name.
bool abridge(Context&);
bool flip(Context&);
bool substitute(Context&);
bool augment(Context&);
bool start_chain(Context&);
bool interleave(Context&);
bool order_constraint(Context&);
bool generalise(Context&);
bool make_exact(Context&);
bool drop_chain(Context&);
bool keep_realised(Context&);
bool rf_insert(Context&);
bool rf_rare(Context&);
bool rf_new(Context&);
bool rf_negate(Context&);
bool rf_remove(Context&);
bool source_change(Context&);
bool place_change(Context&);
bool visible_plain_add(Context&);
bool visible_plain_remove(Context&);
bool reseed(Context&);
bool strategy_change(Context&);
bool select_flip(Context&);
bool delay(Context&);
bool payload(Context&);
bool input_to_state(Context&);
bool join_payloads(Context&);

// Not drawn as a move: cross_over() inserts another schedule's chains and constraints into this one.
void splice(Context&, const Schedule& other);
// Not drawn as a move. Most moves add something. So if a child has more than both the limit and its parent, the excess is dropped at
// random. Small schedules search better: each additional constraint can fail, and makes the run longer.
void keep_small(Context&, const Schedule& parent);
// Not drawn as a move: drops what of the chains would not come true, as far as the run tells.
void keep_foreseen(Context&);
// Not drawn as a move: makes the encoding fit into `max_size`, if possible. Returns the bytes; empty: not even the empty schedule fits.
std::vector<uint8_t> shrink(Schedule& schedule, size_t max_size, Rng& rng);

}  // namespace heddle::mutator
