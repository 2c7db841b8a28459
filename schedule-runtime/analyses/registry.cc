// The list of observers of executions. To add an analysis: its file, and one line here (docs/design/add-an-analysis.md).
#include "analyses/analyses.h"
#include "analyses/live_findings.h"
#include "analyses/signals.h"
#include "feedback/feedback.h"
#include "trace/observer.h"

namespace heddle::rt {

// The order matters: if several findings are about the end of one run, the first is reported. So the most specific ones come first.
void register_observers() {
  add_observer(kDeadlock);
  add_observer(kMixedDeadlock);
  add_observer(kLostWakeup);
  add_observer(kBlockedThreads);
  add_observer(kLivelock);
  add_observer(kEndlessThreads);
  add_observer(kCutShort);
  add_observer(kWeakOrders);
  add_observer(kFeedback);
  add_observer(kFatalSignals);
  install_live_findings();
}

}  // namespace heddle::rt
