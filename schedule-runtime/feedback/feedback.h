// Feedback: what the fuzzing engine learns of a run.
#pragma once

#include "trace/observer.h"

namespace heddle::rt {

// Sends the features of each run to the sink, and sets kRunNovel where the engine will keep the input.
extern const Observer kFeedback;

// One line of figures on the descriptor.
void print_feedback_statistics(int fd);

}  // namespace heddle::rt
