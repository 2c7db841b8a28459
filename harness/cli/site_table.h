// What a target calls its sites: the table that HEDDLE_OPTIONS=sites_path=FILE makes it write.
#pragma once

#include <string>

#include "schema/text.h"

namespace heddle::cli {

// Runs the target once on the input and reads its table. Sites that the run does not meet stay unknown.
SiteNames sites_of(const std::string& binary, const std::string& input);

// One site a line: "SITE SYMBOL+0xOFFSET FILE:LINE", the last "??" where unknown. Other lines are skipped.
SiteNames parse_site_table(const std::string& text);

}  // namespace heddle::cli
