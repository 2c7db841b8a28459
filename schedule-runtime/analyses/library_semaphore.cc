#include "analyses/library_semaphore.h"

#include <cstring>

#include "analyses/end_state.h"
#include "analyses/report/positions.h"
#include "trace/contexts.h"
#include "trace/live_state.h"
#include "trace/recorder.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

bool has(const char* text, const char* part) { return text != nullptr && strstr(text, part) != nullptr; }

// By the symbol, which is there without debug information: a wait is an instance of a template for the semaphore's own lambda. Or by the frames
// that were inlined.
bool of_semaphore(uint32_t site) {
  if (site < sites().size() && has(sites()[site].function, "__atomic_semaphore")) return true;
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count; ++i) {
    if (has(p.frames[i].file, "/bits/semaphore_base.h") || has(p.frames[i].function, "__atomic_semaphore")) return true;
  }
  return false;
}

}  // namespace

// The event's site is the user's; its position may be in the library, whose frames are between it and the first call that is the user's.
bool in_semaphore(const RunSummary& run, uint32_t event) {
  if (of_semaphore(run.events[event].pc_index)) return true;
  uint32_t site = recorder().position_of(run.events, event);
  for (uint32_t node = recorder().context_of(event);; node = contexts()[node].parent) {
    if (of_semaphore(site)) return true;
    if (node == 0 || has_users_code(site)) return false;
    site = contexts()[node].site;
  }
}

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

void put_semaphore_note(Text& out, const RunSummary& run) {
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    const uint32_t wait = is_blocked(run.threads[t]) ? waiting_event(run, t) : kNoEvent;
    if (wait == kNoEvent || run.events[wait].kind != Kind::futex_wait || !in_semaphore(run, wait)) continue;
    if (is_empty(run, wait)) continue;
    return out.put("Possible cause: before libstdc++ 14, a wait on std::counting_semaphore can stay asleep although the count is positive (GCC bug 104928).\n");
  }
}

}  // namespace heddle::rt
