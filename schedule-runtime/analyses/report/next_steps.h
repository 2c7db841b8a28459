// The end of a report: what is needed to go on with the finding.
#pragma once

#include "analyses/report/report_text.h"
#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

// The harness knows where the input is, or will be: the file's path, as a user would give it. `kind` is the engine's word for such artifacts
// ("crash"). Null: not known. `searches`: the engine is known to make new inputs, and not only to run files.
using SavedInput = const char* (*)(const char* kind);
void set_saved_input(SavedInput saved, bool searches);

// The signature, how the run was found, the data bytes, the file and the command that runs it again, and which build that is.
void put_next_steps(Text& out, const RunSummary& run, const Story& story, const char* program);

}  // namespace heddle::rt
