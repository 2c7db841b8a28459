// A fuzzing system as its authors describe it, with a queue, an interest and numbers of mutations of its own, for comparison. The engine then only
// executes: which parent it picks is a source of data bytes, and the answer when the queue is empty.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "mutator/modes/mode.h"
#include "schema/codec.h"

namespace heddle::mutator {

class PublishedSystem {
 public:
  virtual ~PublishedSystem() = default;

  // What happened when `schedule` ran. `own`: next() gave it, and this is the first time that it is learned from; else it is an input of
  // the user's or of the engine's, such as the empty one at the start, and a starting point like any other.
  virtual void learn(const KnownRun& run, const Schedule& schedule, bool own) = 0;

  // The schedule to run now. `parent` is what the engine picked: a source of payload, and the answer (with a fresh
  // seed) when the queue has nothing left to try.
  virtual Schedule next(const Schedule& parent, Rng& rng) = 0;
};

// Such a system behind the interface of modes.
class PublishedMode final : public Mode {
 public:
  PublishedMode(std::string_view name, std::unique_ptr<PublishedSystem> system) : name_(name), system_(std::move(system)) {}

  void learn(const KnownRun& run, std::span<const uint8_t> input) override {
    const auto it = std::find(std::begin(awaited_), std::end(awaited_), run.hash);
    const bool own = run.hash != 0 && it != std::end(awaited_);
    if (own) *it = 0;
    Schedule schedule;
    decode_schedule(input, schedule);
    system_->learn(run, schedule, own);
  }
  void next(const EnginePick& pick, Schedule& child, Rng& rng) override { child = system_->next(pick.schedule, rng); }
  void made(uint64_t hash, Making how) override {
    if (how != Making::shrink) awaited_[awaited_count_++ % kMaxAwaited] = hash;
  }
  std::string last_moves() const override { return std::string(name_); }

 private:
  // Engines run a child at once, or a few calls later; one that they drop must not be waited for.
  static constexpr uint32_t kMaxAwaited = 64;

  std::string_view name_;
  std::unique_ptr<PublishedSystem> system_;
  uint64_t awaited_[kMaxAwaited] = {};  // hashes of children that did not run yet
  uint32_t awaited_count_ = 0;
};

}  // namespace heddle::mutator
