// What a target calls its sites: the table that HEDDLE_OPTIONS=sites_path=FILE makes it write.
#pragma once

#include <string>
#include <vector>

#include "schema/text.h"
#include "schema/trace_file.h"

namespace heddle::cli {

// Runs the target once, on an empty input or the one given, and reads its table: the sites that the run meets, and those in `wanted` that are
// anywhere in the target.
SiteNames sites_of(const std::string& binary, const std::vector<SiteId>& wanted, const std::string& input = "");
// Those that the schedule speaks of.
std::vector<SiteId> sites_in(const Schedule& schedule);
// Those of the run's operations.
std::vector<SiteId> sites_in(const StoredTrace& trace);

// One site a line: "SITE SYMBOL+0xOFFSET FILE:LINE", the last "??" where unknown. Other lines are skipped.
SiteNames parse_site_table(const std::string& text);

}  // namespace heddle::cli
