#include "analyses/leak.h"

#include "analyses/end_findings.h"
#include "analyses/report/names.h"
#include "analyses/report/report.h"
#include "trace/recorder.h"

namespace heddle::rt {

void report_leak() {
  if (recorder().events.size() == 0) return;
  Story& story = scratch_story();
  story.begin(FindingType::leak, 0);
  story.header = false;
  story.what.put("No pointer to the blocks of the report above is left.\n\n");
  print_part(story);
}

}  // namespace heddle::rt
