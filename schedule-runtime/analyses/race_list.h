// The data races that are no findings (report_races=0): they are listed, so that a user who does not know the option hears of them.
#pragma once

#include <cstdint>

#include "analyses/report/report_text.h"
#include "races/race_detector.h"

namespace heddle::rt {

// A race sink.
void list_race(const RaceReport& race);

// Those of the present execution, for the report of another finding. Nothing if there were none.
void put_races_of_execution(Text& out);

// The races seen in all executions, by the code addresses of the two accesses. Forked executions share the memory.
struct RacesSeen {
  static constexpr uint32_t kMost = 128;
  struct Pair {
    uintptr_t first_pc, second_pc;
    Kind first_kind, second_kind;  // none: a plain access
    bool first_writes, second_writes;
  };
  Pair pairs[kMost];  // later ones are left out
  uint32_t count;
};
void share_races_seen(RacesSeen& memory);

// "heddle: note: 2 data races were seen ...", and a line for each. Nothing if none was seen.
void print_races_seen(int fd);

}  // namespace heddle::rt
