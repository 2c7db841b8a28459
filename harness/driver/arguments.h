// The arguments of a whole program, from HEDDLE_OPTIONS=args='...'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::driver {

// Splits like a shell: blanks, '...', "..." and backslashes, without expansions. Returns false if a quote is not closed.
bool split_arguments(std::string_view text, std::vector<std::string>& out);

}  // namespace heddle::driver
