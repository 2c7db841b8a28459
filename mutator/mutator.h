// The mutator. It does not depend on a fuzzing engine. It knows the schema and what past runs showed.
//
// The result depends only on the options, the calls so far (learned runs, mutations) and the seed argument. Not thread-safe. The mutator
// never affects what a given input does: all decisions of a mutation are written into the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "schema/event.h"
#include "schema/options_text.h"

namespace heddle::mutator {

struct KnownRun;

struct Options {
  size_t memory_limit = 64u << 20;  // for the runs kept
  uint32_t max_chain = 9;           // elements (docs/design/gopie.md#numbers)
  uint32_t max_chains = 3;
  uint32_t max_constraints = 6;     // reads-from
  uint32_t max_preferences = 6;
  uint32_t max_delays = 3;
  uint32_t opening = 60;            // first children of `mixed` that other modes also make (docs/design/mutation.md#the-opening); 0: none
  uint32_t repeats = 3;             // mutants per set of chains
  uint32_t repeats_productive = 10;  // the same, when one of them was novel
  // Weights of the groups of moves, in percent. 0 switches a group off.
  uint32_t order_weight = 100;      // chains
  uint32_t reads_from_weight = 100;
  uint32_t plain_weight = 100;      // making plain accesses visible
  uint32_t search_weight = 100;     // seed, strategy
  uint32_t select_weight = 100;
  uint32_t flow_weight = 100;
  uint32_t payload_weight = 100;
};

class Mutator {
 public:
  explicit Mutator(const Options& options = {});
  ~Mutator();
  Mutator(const Mutator&) = delete;
  Mutator& operator=(const Mutator&) = delete;

  // Stores the run under the hash of its input. A novel run is pinned, others stay for a few runs. `run` is not referenced afterwards.
  void learn(const RunSummary& run, std::span<const uint8_t> input);

  // Keeps the run of this input as long as there is memory, like a novel one.
  void keep(uint64_t input_hash);
  // Null: not known, or no longer known. Valid until the next call that is not const.
  const KnownRun* known(uint64_t input_hash);

  // Mutates in place. The result has more than 0 (if max_size is not 0) and at most max_size bytes. If size > max_size, the engine wants a
  // smaller schedule. The buffer has max(size, max_size) bytes.
  size_t mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed);
  size_t cross_over(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                    size_t max_size, uint32_t seed);

  // How many children this input deserves, if the best one deserves `full`: in proportion to its score.
  uint32_t children(std::span<const uint8_t> input, uint32_t full) const;

  using ByteMutator = size_t (*)(uint8_t* data, size_t size, size_t max_size);
  // What each child gets: assumptions, a memory model.
  void set_wanted_run(const WantedRun& wanted);

  // The mutator for payloads. Null: heddle's own small one.
  void set_byte_mutator(ByteMutator mutator);

  // From now on mutate() and cross_over() use this mode (modes/mode.h), which has learned nothing yet. The default is the first of modes().
  // False: there is no mode of that name, and nothing changes.
  bool set_mode(std::string_view name);

  // The moves of the last mutation, as in "augment-reseed", or the mode.
  std::string last_operators() const;
  // What the mode's moves contributed so far, as text for users. May be empty.
  std::string statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The mutator of this process, for engines that mutate inside the target.
Mutator& process_mutator();

}  // namespace heddle::mutator
