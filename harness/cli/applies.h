// Does a schedule speak of the program that ran it?
#pragma once

#include "schema/schedule.h"
#include "schema/trace_file.h"

namespace heddle::cli {

// The schedule contains nothing about a program.
bool names_no_operation(const Schedule& schedule);

// False: the schedule names operations, and no position of the run matches any of them. (If no element of a chain was realised, the
// schedule may still apply: its first operation never came, or came too late.)
bool applies(const StoredTrace& run, const Schedule& schedule);

}  // namespace heddle::cli
