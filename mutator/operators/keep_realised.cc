// Cuts a chain that was abandoned in the middle to its realised part, and removes a chain that never began. So the next moves work on
// something that really happens (GoPie's "covered" part).
#include <algorithm>

#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool keep_realised(Context& c) {
  if (!c.run || !c.own_run) return false;
  const std::vector<ChainResult>& results = c.run->run().chains;
  // Results are in the order in which the chains first appear among the elements.
  std::vector<uint8_t> ids;
  for (const Element& e : c.schedule.elements) {
    if (std::find(ids.begin(), ids.end(), e.chain) == ids.end()) ids.push_back(e.chain);
  }
  if (ids.size() != results.size()) return false;  // an earlier move of this mutation has changed it
  for (size_t i = 0; i < ids.size(); ++i) {
    if (get_chain(c.schedule, ids[i]).size() != results[i].length) return false;
  }
  bool changed = false;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (results[i].realised >= results[i].length) continue;
    Chain chain = get_chain(c.schedule, ids[i]);
    chain.resize(results[i].realised < 2 ? 0 : results[i].realised);
    changed |= put_chain(c.schedule, ids[i], chain);
  }
  return changed;
}

}  // namespace heddle::mutator
