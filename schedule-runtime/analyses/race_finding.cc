#include "analyses/race_finding.h"

#include "analyses/end_findings.h"
#include "analyses/report/positions.h"
#include "trace/live_state.h"
#include "trace/sites.h"

namespace heddle::rt {

void report_race(const RaceReport& race) {
  OutsideExecution outside;
  forget_names();
  const RunSummary& run = recorder().publish();
  Story& story = scratch_story();
  story.begin(FindingType::data_race, 0);
  story.address = race.address;
  story.thread = race.second_thread;
  const auto verb = [](uint8_t writes) { return writes != 0 ? "writes" : "reads"; };
  Text& what = story.what;
  put_thread(what, run, race.second_thread);
  what.add(" %s ", verb(race.pair.second_writes));
  uintptr_t offset = 0;
  if (const char* datum = datum_name(race.address, offset)) {
    what.put(datum);
    if (offset != 0) what.add("+%zu", static_cast<size_t>(offset));
  } else {
    what.put("memory that is no global variable");
  }
  what.put("; ");
  put_thread(what, run, race.first_thread);
  what.add(" %s it earlier, and nothing orders the two accesses.\n\n", verb(race.pair.first_writes));
  static constinit Text title;
  title.clear();
  put_thread(title, run, race.second_thread);
  title.add(" %s it here", verb(race.pair.second_writes));
  title.repeat('\0', 1);
  story.add_stack(sites().index_of(race.second_pc), live_state().current_context(), true, "%s", title.view().data());
  title.clear();
  put_thread(title, run, race.first_thread);
  title.add(" %s it before, here", verb(race.pair.first_writes));
  title.repeat('\0', 1);
  story.add_stack(sites().index_of(race.first_pc), 0, true, "%s", title.view().data());
  report(story, false);
}

}  // namespace heddle::rt
