#include "analyses/asan_threads.h"

#include "analyses/report/names.h"
#include "trace/contexts.h"
#include "trace/live_state.h"
#include "trace/recorder.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kDepth = 64;

// The call that created the thread, and those around it.
uint32_t calls_of(const RunSummary& run, uint32_t create, uintptr_t (&calls)[kDepth]) {
  uint32_t n = 0;
  const auto add = [&](uint32_t site) {
    const uintptr_t pc = site < sites().size() ? sites()[site].pc : 0;
    if (pc != 0 && n < kDepth && (n == 0 || calls[n - 1] != pc)) calls[n++] = pc;
  };
  add(recorder().position_of(run.events, create));
  for (uint32_t node = recorder().context_of(create); node != 0; node = contexts()[node].parent) add(contexts()[node].site);
  return n;
}

// ASan knows the stacks' threads, and a stack can have served several threads one after the other.
void put_threads_on_stack(Text& name, const RunSummary& run, uint32_t thread) {
  const uintptr_t slot = live_state().stack_slot(thread);
  bool any = false;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    if (t != thread && (slot == 0 || live_state().stack_slot(t) != slot)) continue;
    if (any) name.put(" or ");
    put_thread(name, run, t);
    any = true;
  }
}

}  // namespace

void describe_threads_to_asan(const RunSummary& run) {
  static constinit Text name;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    name.clear();
    put_threads_on_stack(name, run, t);
    name.repeat('\0', 1);
    uintptr_t calls[kDepth];
    const uint32_t create = run.threads[t].create_event;
    live_state().describe_to_asan(t, name.view().data(), run.threads[t].parent, calls, create < run.event_count ? calls_of(run, create, calls) : 0);
  }
}

}  // namespace heddle::rt
