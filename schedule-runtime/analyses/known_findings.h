// Findings that the user knows: HEDDLE_OPTIONS=known=FILE. One signature a line, as reports print them:
//
//   # a comment
//   b7823dfbe8a9cad6
//   Signature: 01c54e0ab1a1e2d4   # the line of a report
//
// A known finding is shown in one line, once, and counted. It ends its execution where nothing can follow it, and never the campaign (go_on.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "analyses/report/story.h"

namespace heddle::rt {

inline constexpr uint32_t kMostKnown = 1 << 12;
// How often each was found, by this process or by several that share the memory: in the order of the file.
struct KnownCounts {
  uint64_t all;
  uint32_t of[kMostKnown];
};

// At process start: an error in the file ends the process with one line and exit code 2.
void load_known_findings();
// Whether it is one of them: it is counted then, and shown if this is the first time.
bool known_finding(const Story& story, uint64_t signature, KnownCounts& counts);
// "heddle: known: 12 b7823dfbe8a9cad6", a line for each one that was found.
void print_known_statistics(int fd, const KnownCounts& counts);

// The signature of a line of the file; 0: there is none, `why` says why if the line is wrong.
uint64_t signature_of(std::string_view line, const char*& why);

}  // namespace heddle::rt
