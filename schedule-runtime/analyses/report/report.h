// The report of a finding, and the end of the process after it.
#pragma once

#include "analyses/known_findings.h"
#include "analyses/report/story.h"

namespace heddle::rt {

// The whole text: header, paragraph, stacks, interleaving, how to replay, summary. `process` is the number in the header,
// `program` the command for a replay.
void put_report(Text& out, const Story& story, const RunSummary& run, bool run_has_ended, uint32_t width, int process,
                const char* program);

// Prints it on stderr and ends the process, so that the engine saves the input. With exit_on_finding=0, each signature
// is printed once and counted, and the run continues. But a run stops if it has used or freed memory that it does not own, because from then on it may
// never end, and at a call that is not supported. For a suppressed finding nothing happens; a known one is counted, and the run continues in the
// same way. A story without a header is only printed, and the other reporter goes on.
void report(const Story& story, bool run_has_ended);

// Called after a report has been made, before the process ends.
using ReportObserver = void (*)(const Story& story, const RunSummary& run, bool run_has_ended);
void set_report_observer(ReportObserver observer);

// Only prints it: the part of a report that the engine or a sanitizer has made, about the last execution, which has ended.
void print_part(const Story& story);

// The number of findings in this process, and of different ones.
struct FindingCounts {
  uint64_t all;
  uint32_t different;
};
// The findings that were already reported, by this process or by several that share the memory.
struct FindingMemory {
  static constexpr uint32_t kMaxSignatures = 256;
  uint64_t signatures[kMaxSignatures];
  FindingType first;  // the kind of signatures[0]
  FindingCounts counts;
  KnownCounts known;
  bool cut_short;  // that there was an execution which was stopped before its end
};
void share_finding_memory(FindingMemory& memory);
FindingCounts finding_counts();
// True once: there is an execution that was stopped before its end, and nothing was said of such ones.
bool first_cut_short();
void print_finding_statistics(int fd);

}  // namespace heddle::rt
