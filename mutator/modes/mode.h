// A mode: one fuzzing system as its authors describe it, with a queue, an interest and numbers of mutations of its own
// (HEDDLE_OPTIONS=mode=...). It is there to be compared with. The engine then only executes: which parent it picks is
// ignored. The default, "mixed", is no mode: there the engine's corpus is the queue and all operators take part.
//
// Modes are deterministic in what they learned and in the random numbers they are given.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "mutator/knowledge/known_run.h"
#include "mutator/mutator.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

class Mode {
 public:
  virtual ~Mode() = default;

  // What happened when `schedule` ran. `own`: next() gave it, and it is told of for the first time; else it is an input of
  // the user's or of the engine's, such as the empty one at the start, and a starting point like any other.
  virtual void learn(const KnownRun& run, const Schedule& schedule, bool own) = 0;

  // The schedule to run now. `parent` is what the engine picked: a source of payload, and the answer (with a fresh
  // seed) when the mode has nothing left to try.
  virtual Schedule next(const Schedule& parent, Rng& rng) = 0;
};

struct ModeEntry {
  std::string_view name;         // as in HEDDLE_OPTIONS
  std::string_view description;  // one line, for help
  std::unique_ptr<Mode> (*make)(const Options&);
};

// registry.cc: gopie, gopie-plus, gopie-hb, gfuzz, gfuzz-hb, flow.
std::span<const ModeEntry> modes();
// Null: there is none of that name.
const ModeEntry* mode_by_name(std::string_view name);

}  // namespace heddle::mutator
