// The runs of queue entries on disk, beside the queue: <output>/<instance>/heddle-runs/<hash of the input>.hdt. So if afl-fuzz is started
// again, it knows them at once. They are only a cache: any of them may be deleted, and a damaged file counts as missing.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "mutator/mutator.h"

namespace heddle::mutator {

class RunArchive {
 public:
  // `file` is a queue entry's. Does nothing if the run is not known, or if the disk is full (then a message comes once).
  void save(const std::string& file, uint64_t hash, Mutator& mutator);
  // Teaches the mutator the run of this entry if the mutator does not know it. If the mutator knows it and the disk does not, the run is
  // saved.
  void load(const std::string& file, Mutator& mutator);

 private:
  std::unordered_set<std::string> looked_;  // entries whose run was not found. They are searched only once
  bool complained_ = false;
};

}  // namespace heddle::mutator
