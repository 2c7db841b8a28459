// What a failing thread learned last by an operation that is no access to memory: a message from a channel or a descriptor, the contents of a file,
// or that its time was over. The failure can come of that.
#pragma once

#include "analyses/report/slice.h"

namespace heddle::rt {

// Adds the operation, and the one that it comes from, to the story's events. False: none of the thread's latest few operations is one.
bool add_last_message(Story& story, const RunSummary& run, const FailingMoment& at);

// The same for the thread's last operation, if it failed in the line that fails now: a std::call_once in a promise that has its value already.
void add_failed_attempt(Story& story, const RunSummary& run, const FailingMoment& at);

// The same for the thread's last call on a file that failed, if what it has done since are a few calls on files. (std::filesystem asks afterwards why a call
// has failed.) And for a read or write that has just failed because a descriptor was closed.
void add_failed_call(Story& story, const RunSummary& run, const FailingMoment& at);

}  // namespace heddle::rt
