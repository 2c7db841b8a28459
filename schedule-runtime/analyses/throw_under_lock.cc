#include "analyses/throw_under_lock.h"

#include "analyses/report/names.h"
#include "analyses/thrown_exceptions.h"

namespace heddle::rt {

void add_throw_under_lock(Story& story, const RunSummary& run, uint32_t taken) {
  const uint32_t holder = run.events[taken].thread;
  const Thrown* const thrown = first_throw(holder, taken + 1);
  if (thrown == nullptr) return;
  static constinit Text title;
  title.clear();
  put_thread(title, run, holder);
  title.add(" threw an exception while it held %s, here", object_name(run, run.events[taken].object));
  title.repeat('\0', 1);
  story.add_stack(thrown->site, thrown->context, false, "%s", title.view().data());
  story.add_aside({holder, thrown->events, kNoEvent, thrown->site, thrown->context, {}}, "throw an exception");
}

}  // namespace heddle::rt
