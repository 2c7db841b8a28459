// The analyses of a finished run, in the order of the registry. Each is also available as a pure function, for tests: does the run show the
// finding, and what should the report say?
#pragma once

#include "analyses/report/story.h"
#include "trace/observer.h"

namespace heddle::rt {

extern const Observer kDeadlock;
extern const Observer kMixedDeadlock;
extern const Observer kLostWakeup;
extern const Observer kBlockedThreads;
extern const Observer kLivelock;
extern const Observer kEndlessThreads;
extern const Observer kCutShort;
extern const Observer kWeakOrders;

// True: `story` is filled in. Calling contexts come from the recorder.
bool find_deadlock(const RunSummary& run, Story& story);
bool find_mixed_deadlock(const RunSummary& run, Story& story);
bool find_lost_wakeup(const RunSummary& run, Story& story);
bool find_blocked_threads(const RunSummary& run, Story& story);
bool find_livelock(const RunSummary& run, Story& story);
bool find_endless_threads(const RunSummary& run, Story& story);
// A note, and no finding.
bool tell_cut_short(const RunSummary& run, Text& out);

}  // namespace heddle::rt
