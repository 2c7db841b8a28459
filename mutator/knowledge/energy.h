// The score of a run, and the number of children that it deserves (docs/design/gopie.md#energy): proportional, in floating point. The
// originals gave good parents fewer rounds, or, because of an integer cast, none at all.
#pragma once

#include <cstdint>

namespace heddle::mutator {

struct KnownRun;

// |Rel1| + ln |Rel2|. 0 for runs that ended at the step bound.
double run_score(const KnownRun& run);
// 0 only for a score of 0.
uint32_t children_for(double score, double best, uint32_t full);

}  // namespace heddle::mutator
