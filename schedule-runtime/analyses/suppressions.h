// Suppressions: findings that are not reported, in the sanitizers' file format:
//
//   # a comment
//   race:std::vector<*>::size      any frame's function, file or module; a race: also the global variable's name
//   race_top:^hits$                only the innermost frame of each stack
//
// A pattern can match anywhere in the name. `*` matches anything, `^` and `$` match its two ends. The file is
// HEDDLE_OPTIONS=suppressions=FILE; what the program's __tsan_default_suppressions() returns counts, too.
#pragma once

#include <string_view>

#include "analyses/report/story.h"

namespace heddle::rt {

// Whether one of them speaks of this finding: it counts then.
bool suppressed(const Story& story);
// "heddle: suppressed: 12 race:hits", a line for each one that has matched.
void print_suppression_statistics(int fd);

bool any_suppressions();

// At process start: an error in the file ends the process with one line and exit code 2.
void load_suppressions();

bool matches(std::string_view pattern, std::string_view name);
// True if the line is none (empty, a comment), or has been added; false: it is wrong, and `why` says why.
bool add_suppression(std::string_view line, const char*& why);
void forget_suppressions();

}  // namespace heddle::rt
