// An explanation in words.
#pragma once

#include <string>

#include "harness/cli/explainer.h"
#include "harness/cli/operation_places.h"
#include "schema/text.h"

namespace heddle::cli {

// For not_tried_text(). `runs`: of ExplainLimits.
std::vector<std::string> untried_words(const Explanation& explanation, size_t runs);
// The positions that the text names.
std::vector<SiteId> sites_in(const Explanation& explanation);
// Two or three sentences, then the counts.
std::string explanation_text(const Explanation& explanation, const SiteNames& names,
                             const OperationPlaces& places);

}  // namespace heddle::cli
