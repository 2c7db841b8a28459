// Which positions of the program belong together: those that used one object in some run. A search that takes what it has tried least can
// count by these groups, too. Otherwise an object with many positions, such as the inside of a barrier, has most of its attempts: there are
// as many pairs of positions as the square of their number.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "mutator/knowledge/known_run.h"

namespace heddle::mutator {

class ObjectGroups {
 public:
  void learn(const KnownRun& run);
  // How often try_one() was called for positions of this position's group. A position: of Event::site and Event::kind.
  uint32_t tried(uint64_t position) const;
  void try_one(uint64_t position) { ++tried_[group(position)]; }

  static uint64_t position(SiteId site, Kind kind) { return mix(site, static_cast<uint8_t>(kind)); }

 private:
  // A position of the group that stands for it.
  uint64_t group(uint64_t position) const;
  void unite(uint64_t one, uint64_t other);

  std::unordered_map<uint64_t, uint64_t> same_group_;  // another position of the group; none: it stands for it
  std::unordered_map<uint64_t, uint32_t> tried_;       // by group
  std::vector<uint64_t> first_;                        // of learn(): a position of each object; 0: none so far
};

}  // namespace heddle::mutator
