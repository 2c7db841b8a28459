#include "analyses/end_findings.h"

namespace heddle::rt {
namespace {
constinit Story g_story;
}

Story& scratch_story() { return g_story; }

void put_wait(Text& out, const RunSummary& run, uint32_t event) {
  const Event& e = run.events[event];
  put_thread(out, run, e.thread);
  if (e.object == 0 && (e.kind == Kind::channel_send || e.kind == Kind::channel_receive || e.kind == Kind::select)) {
    out.put(e.kind == Kind::select ? " waits in a select that has no case, or nil channels only" : " waits on a nil channel");
    return;
  }
  out.put(" waits ");
  out.put(waits_for(e.kind));
  out.put(" ");
  out.put(object_name(run, e.object));
  const uint32_t awaited = awaited_thread(run, event);
  if (awaited == kNoEvent || kind_info(e.kind).has(kThread)) return;
  out.put(", which ");
  if (awaited == e.thread) out.put("it holds itself");
  else put_thread(out, run, awaited);
  if (awaited != e.thread) {
    const bool ended = static_cast<ThreadEnd>(run.threads[awaited].state) == ThreadEnd::finished;
    out.put(ended ? " held when it ended" : " holds");
  }
}

void add_event_stack(Story& story, const RunSummary& run, uint32_t event, bool signs, const char* what) {
  const Event& e = run.events[event];
  const uint32_t context = event < recorder().contexts.size() ? recorder().contexts[event] : 0;
  story.add_stack(e.pc_index, context, signs, "%s", what);
  story.add_event(event);
}

}  // namespace heddle::rt
