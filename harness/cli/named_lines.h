// The source lines that a text names.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

// Each with its text, those of one file together and in their order. Empty: the sources are not there.
std::string named_lines_text(const std::vector<std::string>& locations);

}  // namespace heddle::cli
