#include "analyses/awaited_value.h"

#include <cstring>

#include "analyses/library_primitive.h"
#include "analyses/report/missing_order.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/values.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

// libstdc++ lets threads sleep on a word of its own if the variable is no int.
bool stands_for_another(const RunSummary& run, uint32_t event) {
  uintptr_t offset = 0;
  const char* const name = datum_name(live_state().object_address(run.events[event].object), offset);
  return name != nullptr && std::strstr(name, "__waiter_pool_base") != nullptr;
}

bool is_atomic(const Event& e) { return e.finished() && e.object != 0 && kind_info(e.kind).has(kAtomic); }

// The thread's last look at the variable before it began to wait; kNoEvent: it waits for something else.
uint32_t last_look(const RunSummary& run, uint32_t wait) {
  const Event& w = run.events[wait];
  const bool proxy = stands_for_another(run, wait);
  constexpr uint32_t kLooks = 64;  // it yields before it sleeps
  for (uint32_t i = wait, looks = 0; i-- > 0 && looks < kLooks;) {
    const Event& e = run.events[i];
    if (e.thread != w.thread) continue;
    ++looks;
    if (!is_atomic(e) || !kind_info(e.kind).has(kReads) || stands_for_another(run, i)) continue;
    return proxy || live_state().object_address(e.object) == live_state().object_address(w.object) ? i : kNoEvent;
  }
  return kNoEvent;
}

uint32_t last_store(const RunSummary& run, uint32_t object) {
  for (uint32_t i = run.event_count; i-- > 0;) {
    if (run.events[i].object == object && stores_atomically(run.events[i])) return i;
  }
  return kNoEvent;
}

// Threads arrive at a std::barrier by compare-and-swaps on words that do not tell to which barrier they belong. Other words are near the phase.
bool is_only_barrier(const RunSummary& run, uint32_t phase) {
  constexpr uintptr_t kNear = 128;
  const uintptr_t begin = live_state().object_address(phase) - kNear;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.kind != Kind::atomic_load || library_primitive(run, i) != "barrier" || stands_for_another(run, i)) continue;
    if (live_state().object_address(e.object) - begin >= 2 * kNear) return false;
  }
  return true;
}

void put_thread_at(Text& out, const RunSummary& run, uint32_t event) {
  put_thread(out, run, run.events[event].thread);
  out.put(" (");
  put_event_place(out, run, event);
  out.put(")");
}

// "    arrived in this round: main.2 (phases.cc:24)".
void put_arrivals(Text& out, const RunSummary& run, uint32_t phase) {
  if (!is_only_barrier(run, phase)) return;
  const uint32_t round = last_store(run, phase);
  bool any = false;
  for (uint32_t i = round == kNoEvent ? 0 : round + 1; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.kind != Kind::atomic_cas || !stores_atomically(e) || library_primitive(run, i) != "barrier") continue;
    bool told = false;  // an arrival may be several of them
    for (uint32_t k = round == kNoEvent ? 0 : round + 1; k < i && !told; ++k) {
      const Event& other = run.events[k];
      told = other.thread == e.thread && other.kind == Kind::atomic_cas && stores_atomically(other) && library_primitive(run, k) == "barrier";
    }
    if (told) continue;
    out.put(any ? ", " : "    arrived in this round: ");
    put_thread_at(out, run, i);
    any = true;
  }
  if (any) out.put("\n");
}

}  // namespace

bool add_awaited_value(Story& story, const RunSummary& run, uint32_t wait) {
  if (run.events[wait].kind != Kind::futex_wait) return false;
  const uint32_t look = last_look(run, wait);
  if (look == kNoEvent) return false;
  const uint32_t object = run.events[look].object, store = last_store(run, object);
  const std::string_view primitive = library_primitive(run, wait);
  if (stands_for_another(run, wait)) {
    story.what.add("    %s is a word of the C++ library: threads sleep there that wait for ", object_name(run, run.events[wait].object));
    story.what.add("%s\n", object_name(run, object));
  }
  if (primitive == "barrier") return put_arrivals(story.what, run, object), true;
  if (primitive == "future") return false;  // its values are the library's
  const EventValues* const values = recorder().values.of(store != kNoEvent ? store : look);
  if (values == nullptr || (values->known & (store != kNoEvent ? EventValues::kStored : EventValues::kRead)) == 0) return false;
  Text& what = story.what;
  what.put("    ");
  what.put(object_name(run, object));
  what.put(" is ");
  put_value(what, store != kNoEvent ? values->stored : values->read, values->size);
  if (store == kNoEvent) return what.put(", and no thread has changed it\n"), true;
  what.put(": ");
  put_thread(what, run, run.events[store].thread);
  what.put(" stored that at ");
  put_event_place(what, run, store);
  what.put("\n");
  story.add_event(store);
  return true;
}

}  // namespace heddle::rt
