// Several threads that are alike, named in one line: "main.1, main.3 to main.7 and 40 more".
#pragma once

#include "analyses/report/report_text.h"
#include "schema/event.h"

namespace heddle::rt {

// There is only one list at a time.
class ThreadList {
 public:
  ThreadList();
  void add(uint32_t thread);
  void put(Text& out, const RunSummary& run) const;

 private:
  uint32_t count_ = 0;
};

}  // namespace heddle::rt
