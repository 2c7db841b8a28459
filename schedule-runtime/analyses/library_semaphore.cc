#include "analyses/library_semaphore.h"

#include "analyses/end_state.h"
#include "analyses/library_primitive.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

// The last value of the count is 0: the wait is right.
bool is_empty(const RunSummary& run, uint32_t wait) {
  const uintptr_t address = live_state().object_address(run.events[wait].object);
  for (uint32_t i = run.event_count; address != 0 && i-- > 0;) {
    const Event& e = run.events[i];
    if (!e.finished() || e.object == 0 || !kind_info(e.kind).has(kAtomic) || live_state().object_address(e.object) != address) continue;
    const EventValues* const v = recorder().values.of(i);
    if (v == nullptr) return false;
    if ((v->known & EventValues::kStored) != 0) return static_cast<int32_t>(v->stored) <= 0;
    return (v->known & EventValues::kRead) != 0 && static_cast<int32_t>(v->read) <= 0;
  }
  return false;
}

}  // namespace

bool in_semaphore(const RunSummary& run, uint32_t event) { return library_primitive(run, event) == "semaphore"; }

void put_semaphore_note(Text& out, const RunSummary& run) {
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    const uint32_t wait = is_blocked(run.threads[t]) ? waiting_event(run, t) : kNoEvent;
    if (wait == kNoEvent || run.events[wait].kind != Kind::futex_wait || !in_semaphore(run, wait)) continue;
    if (is_empty(run, wait)) continue;
    return out.put("Possible cause: before libstdc++ 14, a wait on std::counting_semaphore can stay asleep although the count is positive (GCC bug 104928).\n");
  }
}

}  // namespace heddle::rt
