// The report of a finding, and the end of the process after it.
#pragma once

#include "analyses/report/story.h"

namespace heddle::rt {

// The whole text: header, paragraph, stacks, interleaving, how to replay, summary. `process` is the number in the header,
// `program` what to call for a replay.
void put_report(Text& out, const Story& story, const RunSummary& run, bool run_has_ended, uint32_t width, int process,
                const char* program);

// Prints it on stderr and ends the process, so that the engine saves the input. With exit_on_finding=0 each signature
// is printed once, counted, and the run goes on; but a run that has used or freed what is not its own goes no further, as nothing that it does from then
// on is bound to end. A suppressed one is none: nothing happens. A story without a header only prints, and whoever reports goes on.
void report(const Story& story, bool run_has_ended);

// How many were found in this process, and how many different ones.
struct FindingCounts {
  uint64_t all;
  uint32_t different;
};
// What has been reported already: of this process, or of several that share it.
struct FindingMemory {
  static constexpr uint32_t kMaxSignatures = 256;
  uint64_t signatures[kMaxSignatures];
  FindingCounts counts;
};
void share_finding_memory(FindingMemory& memory);
FindingCounts finding_counts();
void print_finding_statistics(int fd);

}  // namespace heddle::rt
