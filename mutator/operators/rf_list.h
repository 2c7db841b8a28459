// The list of reads-from constraints of a schedule, for the moves that add to it.
#pragma once

#include "mutator/operators/operator.h"

namespace heddle::mutator {

// Whether the list names this pair, whatever it says of it.
bool names_pair(const std::vector<ReadsFrom>& list, const ReadsFrom& rf);
// As in RFF a list grows slowly: half of the time the new one takes an old one's place. False: it is there already.
bool add_reads_from(Context& context, const ReadsFrom& rf);

}  // namespace heddle::mutator
