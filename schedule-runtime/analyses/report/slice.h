// Where the value comes from that made the program fail: the reads at the place of the failure, the writes that they saw, what the writers had
// read before, and what they overwrote; what others wrote only after the failing thread had read it; and what a thread had read there before another thread wrote it. From operations and plain accesses alone:
// what a thread computed in between is not known.
#pragma once

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// Where a thread failed, and when: after so many events, and so many accesses of the log.
struct FailingMoment {
  uint32_t thread, position, context;
  uint32_t events;
  size_t accesses;
  bool ended = false;  // the run has ended since, with the thread blocked there
  uint32_t since = 0;  // what the thread read before so many events does not count
};
// Now, at the story's first stack.
FailingMoment place_of_failure(const Story& story, const RunSummary& run);

enum class Explained : uint8_t {
  not_at_all,  // the failing thread has read nothing there that another thread has written
  partly,      // nothing in it is wrong in itself, so the value came of a decision that is not in it
  wholly,
};

// Adds them to the story's events and asides.
Explained add_slice(Story& story, const RunSummary& run, const FailingMoment& at);

// If nothing else is known: who wrote last what is read at the place of the failure, if others have written it, too. False: there is nothing of that kind.
bool add_history(Story& story, const RunSummary& run, const FailingMoment& at);

}  // namespace heddle::rt
