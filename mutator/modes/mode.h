// A mode makes the next child (HEDDLE_OPTIONS=mode=...). The mutator decodes the engine's input, asks the mode, and encodes the result. A
// mode has its own knowledge of past runs; only the runs themselves are shared.
//
// `mixed`, the default, changes the input that the engine picked. The other modes are fuzzing systems as their authors describe them
// (published_mode.h), for comparison.
//
// A mode's result depends only on what it has learned and on the random numbers that it gets.
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
#include "schema/codec.h"
#include "schema/schedule.h"

namespace heddle::mutator {

// Data of the mutator that every mode uses.
struct Shared {
  explicit Shared(const Options& o) : options(o), runs(o.memory_limit) {}

  Options options;
  RunStore runs;
  Mutator::ByteMutator bytes = nullptr;  // null: the mode's own
};

// The input that the engine picked as the parent.
struct EnginePick {
  Schedule& schedule;  // decoded. The mode may move parts out of it if it does not need them any more
  uint64_t hash;       // of its bytes
  bool foreign;        // the bytes were no schedule, but data bytes of the default schedule
  size_t max_size;     // that the child's bytes may have
};

// The second parent of a crossing. It is decoded when somebody looks at it: many children do not need it.
class OtherParent {
 public:
  // `room`: for the schedule; kept for its capacity.
  OtherParent(std::span<const uint8_t> bytes, Schedule& room) : bytes_(bytes), room_(room) {}
  const Schedule& schedule() {
    if (!decoded_) decode_schedule(bytes_, room_);
    decoded_ = true;
    return room_;
  }

 private:
  std::span<const uint8_t> bytes_;
  Schedule& room_;
  bool decoded_ = false;
};

// How a child came into being.
enum class Making : uint8_t { next, cross, shrink };

class Mode {
 public:
  virtual ~Mode() = default;

  // The input has run. If a mode needs its contents, it must decode the bytes.
  virtual void learn(const KnownRun& run, std::span<const uint8_t> input) = 0;

  // Makes `child`. Its previous contents do not matter; it is reused for its capacity.
  virtual void next(const EnginePick& pick, Schedule& child, Rng& rng) = 0;
  // The same from two parents. A mode that cannot use a second parent makes the next child.
  virtual void cross(const EnginePick& pick, OtherParent&, Schedule& child, Rng& rng) { next(pick, child, rng); }

  // The child has become the input with this hash. If it is only a smaller form of its parent, the mode gets no credit.
  virtual void made(uint64_t hash, Making how) = 0;

  // It has nothing left to try: what next() makes is only a fresh seed, or was tried before.
  virtual bool idle() const { return false; }

  // The moves that made the last child, as in "augment-reseed".
  virtual std::string last_moves() const = 0;
  // What contributed so far, as text for users; may be empty.
  virtual std::string statistics() const { return {}; }
};

struct ModeEntry {
  std::string_view name;         // as in HEDDLE_OPTIONS
  std::string_view description;  // one line, for help
  // `shared` outlives the mode.
  std::unique_ptr<Mode> (*make)(std::string_view name, Shared& shared);
};

// registry.cc: the default first, then the published systems, then the plain strategies.
std::span<const ModeEntry> modes();
// Their names, as in "mixed, gopie". For error messages.
std::string mode_names();
// Null: there is no mode of that name.
const ModeEntry* mode_by_name(std::string_view name);

}  // namespace heddle::mutator
