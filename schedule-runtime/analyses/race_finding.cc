#include "analyses/race_finding.h"

#include "analyses/end_findings.h"
#include "analyses/report/positions.h"
#include "trace/live_state.h"
#include "trace/sites.h"

namespace heddle::rt {

namespace {

// "writes", "atomically reads", "uses (mutex_lock)".
void put_verb(Text& out, Kind kind, bool writes) {
  if (kind == Kind::none || kind_info(kind).has(kAtomic)) {
    out.add("%s%s", kind != Kind::none ? "atomically " : "", writes ? "writes" : "reads");
  } else {
    const std::string_view name = kind_info(kind).name;
    out.add("%s (%.*s)", writes ? "destroys" : "uses", static_cast<int>(name.size()), name.data());
  }
}

}  // namespace

void report_race(const RaceReport& race) {
  OutsideExecution outside;
  forget_names();
  const RunSummary& run = recorder().publish();
  Story& story = scratch_story();
  story.begin(FindingType::data_race, 0);
  story.address = race.address;
  story.thread = race.second_thread;
  Text& what = story.what;
  put_thread(what, run, race.second_thread);
  const RacingPair& pair = race.pair;
  what.put(" ");
  put_verb(what, pair.second_kind, pair.second_writes);
  what.put(" ");
  uintptr_t offset = 0;
  if (const char* datum = datum_name(race.address, offset)) {
    what.put(datum);
    if (offset != 0) what.add("+%zu", static_cast<size_t>(offset));
  } else {
    what.put("memory that is no global variable");
  }
  what.put("; ");
  put_thread(what, run, race.first_thread);
  what.put(" ");
  put_verb(what, pair.first_kind, pair.first_writes);
  what.put(" it earlier, and nothing orders the two accesses.\n");
  const bool atomic = kind_info(pair.first_kind).has(kAtomic) || kind_info(pair.second_kind).has(kAtomic);
  if (atomic) what.put("(One of them is atomic and the other is not: an atomic access is safe from atomic ones only.)\n");
  what.put("\n");
  static constinit Text title;
  title.clear();
  put_thread(title, run, race.second_thread);
  title.put(" ");
  put_verb(title, pair.second_kind, pair.second_writes);
  title.put(" it here");
  title.repeat('\0', 1);
  story.add_stack(sites().index_of(race.second_pc), live_state().current_context(), true, "%s", title.view().data());
  title.clear();
  put_thread(title, run, race.first_thread);
  title.put(" ");
  put_verb(title, pair.first_kind, pair.first_writes);
  title.put(" it before, here");
  title.repeat('\0', 1);
  story.add_stack(sites().index_of(race.first_pc), 0, true, "%s", title.view().data());
  report(story, false);
}

}  // namespace heddle::rt
