// A mode: what makes the next child (HEDDLE_OPTIONS=mode=...). The mutator decodes what the engine gives, asks the mode, and encodes its answer; what a mode
// knows of past runs is its own, but for the runs themselves.
//
// `mixed`, the default, changes the input that the engine picked. The others are fuzzing systems as their authors describe them
// (published_mode.h), there to be compared with.
//
// Modes are deterministic in what they learned and in the random numbers they are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "mutator/knowledge/known_run.h"
#include "mutator/knowledge/store.h"
#include "mutator/mutator.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

// What the mutator has for every mode.
struct Shared {
  explicit Shared(const Options& o) : options(o), runs(o.memory_limit) {}

  Options options;
  RunStore runs;
  Mutator::ByteMutator bytes = nullptr;  // null: the mode's own
};

// What the engine picked to go on from.
struct EnginePick {
  Schedule& schedule;  // decoded; the mode may take it apart, when it needs it no more
  uint64_t hash;       // of its bytes
  bool foreign;        // those were no schedule: data bytes of the default one
  size_t max_size;     // that the child's bytes may have
};

// How a child came into being.
enum class Making : uint8_t { next, cross, shrink };

class Mode {
 public:
  virtual ~Mode() = default;

  // The input has run. Its bytes are for the mode to decode, if it wants to.
  virtual void learn(const KnownRun& run, std::span<const uint8_t> input) = 0;

  // Makes `child`, which holds anything before (it is kept for its capacity).
  virtual void next(const EnginePick& pick, Schedule& child, Rng& rng) = 0;
  // The same from two. Who has no use for a second one makes the next child.
  virtual void cross(const EnginePick& pick, const Schedule&, Schedule& child, Rng& rng) { next(pick, child, rng); }

  // The child has become the input with this hash. One that is only a smaller form of its parent is not the mode's doing.
  virtual void made(uint64_t hash, Making how) = 0;

  // By which moves the last child was made, as in "augment-reseed".
  virtual std::string last_moves() const = 0;
  // What contributed so far: lines for people, or none.
  virtual std::string statistics() const { return {}; }
};

struct ModeEntry {
  std::string_view name;         // as in HEDDLE_OPTIONS
  std::string_view description;  // one line, for help
  // `shared` lives longer than the mode.
  std::unique_ptr<Mode> (*make)(std::string_view name, Shared& shared);
};

// registry.cc: the default first, then gopie, gopie-plus, gopie-hb, gfuzz, gfuzz-hb, flow.
std::span<const ModeEntry> modes();
// Null: there is none of that name.
const ModeEntry* mode_by_name(std::string_view name);

}  // namespace heddle::mutator
