// If no few conditions decide: what a single schedule does, or all that has to come together.
#pragma once

#include <string>

#include "harness/cli/explainer.h"
#include "harness/cli/operation_words.h"

namespace heddle::cli {

// "  all of this demanded    100 of 100 have the finding\n"
std::string counted_row(const std::string& what, const Tally& tally);
std::string one_way_text(const Explanation& e, const SiteNames& names,
                         const OperationPlaces& places);

}  // namespace heddle::cli
