// Where a page goes.
#pragma once

#include <string>

namespace heddle::cli {

// Writes the page to `output`, and says so; "-" is standard output. If it is empty, to `otherwise`: that replaces only a page of heddle. Throws Failure.
void write_page(const std::string& page, const std::string& output, const std::string& otherwise);

}  // namespace heddle::cli
