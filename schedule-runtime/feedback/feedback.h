// Feedback: what a run reports to the fuzzing engine.
#pragma once

#include "trace/observer.h"

namespace heddle::rt {

// Sends the features of each run to the sink, and sets kRunNovel where the engine will keep the input.
extern const Observer kFeedback;

// Writes one line of statistics to the descriptor.
void print_feedback_statistics(int fd);

}  // namespace heddle::rt
