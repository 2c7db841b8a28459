#include "analyses/stack_finding.h"

#include <cstring>

#include "analyses/end_state.h"
#include "analyses/report/address_source.h"
#include "analyses/report/names.h"
#include "trace/live_state.h"

namespace heddle::rt {
namespace {

// "counter of main.0" says whose variable it is.
bool names_owner(const char* name, const char* owner) {
  const char* const of = strstr(name, " of ");
  return of != nullptr && strcmp(of + 4, owner) == 0;
}

}  // namespace

void tell_stack_use(const Finding& f, const RunSummary& run, Story& story) {
  story.begin(f.type, f.object);
  story.address = f.address;
  story.thread = f.thread;
  Text& what = story.what;
  put_thread(what, run, f.thread);
  what.add(" %s ", f.detail);
  if (f.object != 0) what.add("%s, ", object_name(run, f.object));
  const bool local = f.type == FindingType::stack_use_after_return;
  what.put(local ? "a variable on the stack" : "a thread-local variable");
  if (local || f.object == 0 || !names_owner(object_name(run, f.object), thread_title(run, f.other_thread, ""))) {
    what.put(" of ");
    put_thread(what, run, f.other_thread);
  }
  what.put(local ? ". The variable's function has returned.\n" : ". That thread has ended.\n");
  // The address of the variable itself, or of a structure that it is in.
  constexpr uintptr_t kReach = 1024;
  const uint32_t exit = local ? kNoEvent : exit_of(run, f.other_thread);
  tell_source_of_address(story, run, {f.address - kReach, f.address + 1, exit, "its end"});
  what.put("\n");
  story.add_stack(f.site, f.context, true, "%s", thread_title(run, f.thread, " does this here"));
  if (!local) return story.add_event(exit);
  Event e;
  uint32_t context;
  if (!live_state().pending(f.other_thread, e, context) || e.kind == Kind::thread_exit) return;
  story.add_stack(e.pc_index, context, false, "%s", thread_title(run, f.other_thread, " has left that function and is here now"));
}

}  // namespace heddle::rt
