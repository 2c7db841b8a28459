// The list of reads-from constraints of a schedule, for moves that add to it.
#pragma once

#include "mutator/operators/operator.h"

namespace heddle::mutator {

// Whether the list has this pair, positive or negative.
bool names_pair(const std::vector<ReadsFrom>& list, const ReadsFrom& rf);
// As in RFF, a list grows slowly: half of the time the new constraint replaces an old one. False: it is already there.
bool add_reads_from(Context& context, const ReadsFrom& rf);

}  // namespace heddle::mutator
