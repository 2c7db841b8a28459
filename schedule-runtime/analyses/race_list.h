// The data races that are no findings (report_races=0): they are listed, so that a user who does not know the option hears of them.
#pragma once

#include <cstdint>

#include "analyses/report/report_text.h"
#include "analyses/report/story.h"
#include "races/race_detector.h"

namespace heddle::rt {

// Says that what an uninstrumented library orders is not seen, if there is such a library. `before` each line.
void put_caveat_of_libraries(Text& out, const char* before);

// A race that was a finding, and the execution goes on.
void keep_race(const RaceReport& race);

// A race sink.
void list_race(const RaceReport& race);

// Those of the present execution, for the report of another finding: who accessed what, and where. Nothing if there were none.
void put_races_of_execution(Text& out, const RunSummary& run, const Story& story);

// The same as data: the pairs, in the order in which they came. A pair of code addresses comes once.
struct RacesSeen;
const RacesSeen* races_of_execution();  // null: none

// Accesses of a signal handler and of the thread that it interrupted, for a report. Nothing if there were none.
void put_handler_conflicts(Text& out, const RunSummary& run, const Story& story);

// The races seen in all executions, by the code addresses of the two accesses. Forked executions share the memory.
struct RacesSeen {
  static constexpr uint32_t kMost = 128;
  struct Pair {
    uintptr_t first_pc, second_pc;
    Kind first_kind, second_kind;  // none: a plain access
    bool first_writes, second_writes;
    uint32_t first_thread, second_thread;  // indices; only for the execution's own list
    uintptr_t address;                     // the same
  };
  Pair pairs[kMost];  // later ones are left out
  uint32_t count;
};
void share_races_seen(RacesSeen& memory);

// "heddle: note: 2 data races were seen ...", and a line for each. Nothing if none was seen.
void print_races_seen(int fd);
void print_races_note(int fd, uint32_t races);
// The lines alone, in one call of write(), for a file that several processes append to.
void write_races_seen(int fd);

}  // namespace heddle::rt
