#include "analyses/report/memory_steps.h"

#include "analyses/report/memory_words.h"
#include "analyses/report/positions.h"
#include "analyses/report/values.h"
#include "races/handler_accesses.h"
#include "schema/coherence.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constinit ReservedArray<MemoryStep> g_steps;

bool on_memory(const Event& e) { return e.finished() && e.object != 0 && (kind_info(e.kind).has(kAtomic) || kind_info(e.kind).has(kPlain)); }

// The access is the thread's latest event itself, and no other access nearby after it.
bool is_of_event(const RunSummary& run, const LoggedAccess& a) {
  const uint32_t event = visible_access(run, a.thread, a.events, a.address);
  if (event == kNoEvent) return false;
  if (const EventValues* const v = recorder().values.of(event); v != nullptr && v->size != 0) {
    const uintptr_t begin = live_state().object_address(run.events[event].object);
    if (a.address >= begin + v->size || a.address + a.size <= begin) return false;
  }
  return kind_info(run.events[event].kind).has(a.write != 0 ? kWrites : kReads);
}

// Both are plain reads of the same bytes. So code that is not instrumented has written in between, if no other has.
bool found_another_value(const MemoryStep& earlier, const MemoryStep& later) {
  const LoggedAccess *const a = earlier.access, *const b = later.access;
  return a != nullptr && b != nullptr && a->has_value && b->has_value && a->address == b->address && a->size == b->size && a->value != b->value;
}

}  // namespace

void MemorySteps::add_event(uint32_t event) {
  const Event& e = run_.events[event];
  if (!on_memory(e)) return;
  const bool reads = kind_info(e.kind).has(kReads) && !is_plain_store(e);
  const bool writes = kind_info(e.kind).has(kWrites) && e.outcome != Outcome::failure;
  // An object that is gone has no address, and still is not another one.
  constexpr uintptr_t kGone = uintptr_t{1} << 63;
  constexpr int kRoom = 4;
  uintptr_t begin = live_state().object_address(e.object);
  if (begin == 0) begin = kGone | uintptr_t{e.object} << kRoom;
  const EventValues* const v = recorder().values.of(event);
  g_steps.push() = {event, nullptr, e.thread, handler_of_event(e.thread, event), event, begin, begin + (v != nullptr && v->size != 0 ? v->size : 1), reads, writes,
                    kind_info(e.kind).has(kAtomic) && in_library_primitive(recorder().position_of(run_.events, event))};
}

void MemorySteps::add_access(size_t number) {
  const LoggedAccess& a = access_log().at(number);
  if (is_of_event(run_, a)) return;
  g_steps.push() = {kNoEvent, &a, a.thread, handler_of_access(a.thread, number), a.events, a.address, a.address + a.size, !a.write, a.write != 0, false};
}

MemorySteps::MemorySteps(const RunSummary& run, uint32_t events, size_t accesses, bool ended) : run_(run), end_(kNoStep) {
  g_steps.reserve((1 << 20) + (1 << 16));
  g_steps.clear();
  const AccessLog& log = access_log();
  const size_t all = ended || live_state().current_thread() != kNoEvent ? log.total() : 0;
  size_t next = all != 0 ? all - log.size() : 0;
  for (uint32_t i = 0; i <= run.event_count && !g_steps.full(); ++i) {
    for (; next < all && (i == run.event_count || log.at(next).events <= i); ++next) {
      if (next >= accesses) end_here();
      add_access(next);
    }
    if (i >= events) end_here();
    if (i < run.event_count) add_event(i);
  }
  end_here();
}

// Once.
void MemorySteps::end_here() {
  if (end_ == kNoStep) end_ = size();
}

uint32_t MemorySteps::size() const { return static_cast<uint32_t>(g_steps.size()); }
const MemoryStep& MemorySteps::operator[](uint32_t i) const { return g_steps[i]; }

uint32_t MemorySteps::source(uint32_t read) const {
  const MemoryStep& r = g_steps[read];
  uint32_t event = kNoEvent;
  if (r.event != kNoEvent) {
    const Writer writer = writer_of(run_, r.event);
    if (writer.known < Writer::event) return kNoStep;
    if (writer.known == Writer::event) event = run_.events[r.event].partner;
  }
  for (uint32_t i = read; i-- > 0;) {
    const MemoryStep& s = g_steps[i];
    if (event != kNoEvent ? s.event == event : s.writes && s.overlaps(r)) return i;
    if (event == kNoEvent && found_another_value(s, r)) return kNoStep;
  }
  return kNoStep;
}

bool MemorySteps::before_birth(uint32_t read, uint32_t source) const {
  if (source == kNoStep) return false;
  const MemoryStep& s = g_steps[source];
  uint32_t begun = kNoEvent;  // when the writer began this thread, or one that it comes from
  for (uint32_t t = g_steps[read].thread; t != 0 && t < run_.thread_count && begun == kNoEvent; t = run_.threads[t].parent) {
    if (run_.threads[t].parent >= t) return false;
    if (run_.threads[t].parent == s.thread) begun = run_.threads[t].create_event;
  }
  return begun != kNoEvent && s.before <= begun;
}

bool MemorySteps::given(uint32_t read, uint32_t source) const {
  if (!before_birth(read, source)) return false;
  for (uint32_t i = source + 1; i < size(); ++i) {
    if (g_steps[i].writes && g_steps[i].overlaps(g_steps[source])) return false;
  }
  return true;
}

bool MemorySteps::may_decide(uint32_t step) const {
  const MemoryStep& s = g_steps[step];
  if (!s.reads || s.inside) return false;
  if (s.event != kNoEvent && kind_info(run_.events[s.event].kind).has(kAtomic)) return true;
  if (s.access != nullptr && s.access->has_value && s.access->value >> 32 != 0) return false;
  const uint32_t site = s.access != nullptr ? s.access->site : recorder().position_of(run_.events, s.event);
  const Position position = position_of(site);
  return position.count != 0 && &user_frame(site) == position.frames;
}

uint32_t MemorySteps::overwritten(uint32_t step) const {
  const MemoryStep& s = g_steps[step];
  for (uint32_t i = step + 1; i < size(); ++i) {
    if (g_steps[i].writes && !g_steps[i].same_actor(s) && g_steps[i].overlaps(s)) return i;
  }
  return kNoStep;
}

bool MemorySteps::written_between(uint32_t from, uint32_t to) const {
  for (uint32_t i = from + 1; i < to; ++i) {
    if (g_steps[i].writes && !g_steps[i].same_actor(g_steps[to]) && g_steps[i].overlaps(g_steps[to])) return true;
  }
  return false;
}

bool MemorySteps::same_again(uint32_t read, uint32_t cas) const {
  const uint32_t event = g_steps[cas].event, before = g_steps[read].event;
  if (event == kNoEvent || before == kNoEvent || run_.events[event].kind != Kind::atomic_cas) return false;
  const EventValues *const now = recorder().values.of(event), *const then = recorder().values.of(before);
  if (now == nullptr || then == nullptr || now->read != then->read || !written_between(read, cas)) return false;
  for (uint32_t i = read + 1; i < cas; ++i) {
    if (g_steps[i].same_actor(g_steps[cas]) && g_steps[i].reads && !g_steps[i].overlaps(g_steps[cas])) return true;
  }
  return false;
}

uint32_t MemorySteps::own_before(uint32_t step, uint32_t from) const {
  const MemoryStep& s = g_steps[step];
  for (uint32_t i = step; i-- > from;) {
    if (g_steps[i].same_actor(s) && g_steps[i].overlaps(s)) return i;
  }
  return kNoStep;
}

uint32_t MemorySteps::own_after(uint32_t step) const {
  const MemoryStep& s = g_steps[step];
  for (uint32_t i = step + 1; i < size(); ++i) {
    if (g_steps[i].same_actor(s) && g_steps[i].overlaps(s)) return i;
  }
  return kNoStep;
}

bool MemorySteps::is_blind(uint32_t step) const { return g_steps[step].writes && !g_steps[step].reads; }

uint32_t MemorySteps::place(uint32_t step) const {
  const MemoryStep& s = g_steps[step];
  if (s.access != nullptr) return user_site(s.access->site, 0);
  return user_site(recorder().position_of(run_.events, s.event), recorder().context_of(s.event));
}

}  // namespace heddle::rt
