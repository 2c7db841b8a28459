// Which bytes decide, in words: data bytes, and random ones.
#pragma once

#include <string>

#include "harness/cli/explainer.h"

namespace heddle::cli {

// Empty: none.
std::string data_text(const Explanation& e);
std::string random_text(const Explanation& e);

}  // namespace heddle::cli
