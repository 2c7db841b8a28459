// A fuzzing system as its authors describe it, with its own queue, interest and numbers of mutations, for comparison. The fuzzing engine
// then only executes. The parent that it picks is only a source of data bytes, and the result if the queue is empty.
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

  // False: learn() has no use for such a run. Its input is then not decoded.
  virtual bool learns_from(const KnownRun&) const { return true; }

  // The result of running `schedule`. `own`: next() made it, and this is the first time that its run is learned. Otherwise the input is
  // from the user or the engine, such as the empty one at the start. It is a starting point like any other.
  virtual void learn(const KnownRun& run, const Schedule& schedule, bool own) = 0;

  // The schedule to run now. `parent` is what the engine picked. It is a source of payload. If the queue is empty, it is the result, with a
  // fresh seed.
  virtual Schedule next(const Schedule& parent, Rng& rng) = 0;

  // As Mode::idle().
  virtual bool idle() const { return false; }

  // As Mode::statistics().
  virtual std::string statistics() const { return {}; }
};

// Puts such a system behind the interface of modes.
class PublishedMode final : public Mode {
 public:
  PublishedMode(std::string_view name, std::unique_ptr<PublishedSystem> system) : name_(name), system_(std::move(system)) {}

  void learn(const KnownRun& run, std::span<const uint8_t> input) override {
    if (!system_->learns_from(run)) return;
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
  bool idle() const override { return system_->idle(); }
  std::string last_moves() const override { return std::string(name_); }
  std::string statistics() const override { return system_->statistics(); }

 private:
  // Engines run a child at once or after a few calls. If an engine drops one, do not wait for it.
  static constexpr uint32_t kMaxAwaited = 64;

  std::string_view name_;
  std::unique_ptr<PublishedSystem> system_;
  uint64_t awaited_[kMaxAwaited] = {};  // hashes of children that did not run yet
  uint32_t awaited_count_ = 0;
};

}  // namespace heddle::mutator
