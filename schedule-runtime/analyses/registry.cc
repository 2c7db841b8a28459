// The list of those who observe executions. Adding an analysis: its file, one line here (docs/design/add-an-analysis.md).
#include "analyses/analyses.h"
#include "analyses/live_findings.h"
#include "analyses/signals.h"
#include "feedback/feedback.h"
#include "trace/observer.h"

namespace heddle::rt {

// In order: what explains most comes first, since of several findings about the end of one run the first is reported.
void register_observers() {
  add_observer(kDeadlock);
  add_observer(kMixedDeadlock);
  add_observer(kLostWakeup);
  add_observer(kBlockedThreads);
  add_observer(kLivelock);
  add_observer(kFeedback);
  add_observer(kFatalSignals);
  install_live_findings();
}

}  // namespace heddle::rt
