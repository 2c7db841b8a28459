// A chain that was abandoned on the way is cut to what was realised, one that never began goes: the next
// moves then work on something that is known to happen (GoPie's "covered" part).
#include <algorithm>

#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool keep_realised(Context& c) {
  if (!c.run || !c.own_run) return false;
  const std::vector<ChainResult>& results = c.run->run().chains;
  bool changed = false;
  for (int id = 0; id < static_cast<int>(std::min(results.size(), kMaxChains)); ++id) {
    Chain chain = get_chain(c.schedule, id);
    const ChainResult& result = results[static_cast<size_t>(id)];
    // A chain that an earlier move of this mutation has touched is no longer the one reported on.
    if (chain.size() != result.length || result.realised >= result.length) continue;
    chain.resize(result.realised < 2 ? 0 : result.realised);
    changed |= put_chain(c.schedule, id, chain);
  }
  return changed;
}

}  // namespace heddle::mutator
