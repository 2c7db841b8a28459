// `execution-graphs`: fuzzing over the execution graphs of RC11 instead of over orders of operations (docs/design/weak-memory.md#changing-a-graph).
//
// The corpus has one run for each graph (mutator/graph/graph_corpus.h). A child is one of them with one changed event: another store to read, or
// another place in modification order. What does not depend on that event is kept, in three degrees (Cut), and the rest of the run is free. One
// child in ten has no prefix; more of them, if those lead to new graphs more often.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "mutator/graph/graph_corpus.h"
#include "mutator/knowledge/race_book.h"
#include "mutator/knowledge/seen.h"
#include "mutator/modes/mode.h"

namespace heddle::mutator {

class ExecutionGraphs final : public Mode {
 public:
  explicit ExecutionGraphs(Shared& shared) : corpus_(shared.options.memory_limit / 2) {}

  void learn(const KnownRun& run, std::span<const uint8_t> input) override;
  void next(const EnginePick& pick, Schedule& child, Rng& rng) override;
  void made(uint64_t hash, Making how) override;
  bool idle() const override { return corpus_.size() == 0; }  // no run was under RC11
  std::string last_moves() const override { return changed_ ? "graph-change" : "graph-free"; }
  std::string statistics() const override;

 private:
  // How often children of one sort led to a new graph. Old ones count less.
  struct Yield {
    uint64_t children = 0, news = 0;
    double recent = 0.5;  // of the latest, about 256
    void count(bool is_new) {
      ++children;
      news += is_new;
      recent += ((is_new ? 1.0 : 0.0) - recent) / 256;
    }
  };
  struct Child {
    uint64_t hash = 0;
    bool changed = false;
    GraphKey parent;  // of a changed one
  };
  // Children without a prefix, of 256.
  uint32_t free_share() const;
  bool change(Schedule& child, Rng& rng);

  GraphCorpus corpus_;
  // How often each prefix was run. A graph that a run has had is a prefix that was run once: another run with it would show nothing.
  std::unique_ptr<CountTable<1 << 20>> tried_ = std::make_unique<CountTable<1 << 20>>();
  RaceBook races_;
  Yield free_, changed_children_;
  bool changed_ = false;  // the present child
  GraphKey parent_;
  std::array<Child, 64> awaited_;  // by hash. Engines run a child at once or after a few calls
};

std::unique_ptr<Mode> make_execution_graphs(std::string_view name, Shared& shared);

}  // namespace heddle::mutator
