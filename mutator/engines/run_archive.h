// The runs of queue entries on disk, beside the queue: <output>/<instance>/heddle-runs/<hash of the input>.hdt, so that an afl-fuzz that is
// started again knows them at once. They are only knowledge: any of them may be deleted, and one that is damaged is as good as none.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "mutator/mutator.h"

namespace heddle::mutator {

class RunArchive {
 public:
  // `file` is a queue entry's. Nothing happens when the run is not known, or the disk is full (that is said once).
  void save(const std::string& file, uint64_t hash, Mutator& mutator);
  // Teaches the mutator the run of this entry, if it does not know it any more; if it does, and the disk does not, it is saved.
  void load(const std::string& file, Mutator& mutator);

 private:
  std::unordered_set<std::string> looked_;  // entries that were looked for in vain: once is enough
  bool complained_ = false;
};

}  // namespace heddle::mutator
