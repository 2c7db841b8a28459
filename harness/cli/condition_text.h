// One condition of an explanation in words: "the store of x comes before the load".
#pragma once

#include <string>

#include "harness/cli/explainer.h"
#include "harness/cli/operation_words.h"

namespace heddle::cli {

// `timed`: it is about a time-out, or that there is none.
std::string condition_text(const Condition& condition, bool timed, OperationWords& words);

}  // namespace heddle::cli
