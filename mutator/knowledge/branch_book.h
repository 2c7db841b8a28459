// Where threads went different ways in the runs so far: operations after which one and the same
// thread did not always do the same next. Foresight uses it: after such an operation, a thread that
// has read something else than recorded may go another way.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "mutator/knowledge/known_run.h"

namespace heddle::mutator {

class BranchBook {
 public:
  void learn(const KnownRun& run);
  // Of an event of any run: by its thread, site and occurrence.
  bool branches(const KnownRun& run, const Event& e) const {
    const auto known = next_.find(key(run, e));
    return known != next_.end() && known->second == kSeveral;
  }

 private:
  static constexpr size_t kMost = 1 << 16;
  static constexpr uint64_t kSeveral = 0;  // as the next operation: there were different ones

  static uint64_t key(const KnownRun& run, const Event& e) {
    return mix(mix(e.site, run.threads[e.thread].id),
               static_cast<uint64_t>(e.occurrence) << 8 | static_cast<uint8_t>(e.kind)) |
           1;
  }

  std::unordered_map<uint64_t, uint64_t> next_;  // by operation: the next one of its thread
};

}  // namespace heddle::mutator
