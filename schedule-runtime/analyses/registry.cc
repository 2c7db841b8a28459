// The list of those who observe executions. Adding an analysis: its file, one line here (docs/how-to-add-an-analysis.md).
#include "feedback/feedback.h"
#include "trace/observer.h"

namespace heddle::rt {

void register_observers() {
  add_observer(kFeedback);
}

}  // namespace heddle::rt
