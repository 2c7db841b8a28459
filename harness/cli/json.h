// Schedules and traces for other programs to read.
#pragma once

#include <string>

#include "schema/schedule.h"
#include "schema/text.h"
#include "schema/trace_file.h"

namespace heddle::cli {

std::string schedule_json(const Schedule& schedule, const SiteNames& names);
std::string trace_json(const StoredTrace& trace, const SiteNames& names);

}  // namespace heddle::cli
