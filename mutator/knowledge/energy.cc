#include "mutator/knowledge/energy.h"

#include <algorithm>
#include <cmath>

#include "mutator/knowledge/relations.h"

namespace heddle::mutator {

double run_score(const KnownRun& run) {
  if (run.flags & kRunStepBound) return 0;
  const Relations& relations = run.relations();
  return 1 + static_cast<double>(relations.rel1_pairs()) + std::log(1 + relations.rel2_pairs());
}

uint32_t children_for(double score, double best, uint32_t full) {
  if (score <= 0 || full == 0) return 0;
  const double share = best > 0 ? std::min(1.0, score / best) : 1.0;
  return std::max(1u, static_cast<uint32_t>(std::ceil(full * share)));
}

}  // namespace heddle::mutator
