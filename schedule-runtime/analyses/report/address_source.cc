#include "analyses/report/address_source.h"

#include <algorithm>
#include <cstdio>

#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/step_row.h"
#include "heap/heap_blocks.h"
#include "races/handler_accesses.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

bool is_address_in(const MemoryStep& step, const GoneMemory& gone) {
  if (!step.reads || step.inside) return false;
  const auto within = [&](uint64_t value, size_t size) { return size == sizeof(uintptr_t) && value - gone.begin < gone.end - gone.begin; };
  if (step.access != nullptr) return step.access->has_value && within(step.access->value, step.access->size);
  const EventValues* const values = recorder().values.of(step.event);
  return values != nullptr && (values->known & EventValues::kRead) != 0 && within(values->read, values->size);
}

// The thread's last read of such an address that another thread has written or changed: not in its own stack, or in the memory that is gone.
uint32_t last_read(const MemorySteps& steps, uint32_t thread, uint32_t handler, const GoneMemory& gone) {
  uintptr_t low = 0, high = 0;
  live_state().stack(thread, low, high);
  for (uint32_t i = steps.end(); i-- > 0;) {
    const MemoryStep& s = steps[i];
    if (s.thread != thread || s.handler != handler || !is_address_in(s, gone)) continue;
    if (s.begin - low < high - low || s.begin - gone.begin < gone.end - gone.begin) continue;
    const uint32_t source = steps.source(i);
    if (source == kNoStep || !steps[source].same_actor(s) || steps.overwritten(i) != kNoStep) return i;
  }
  return kNoStep;
}

// The write is the free of the block that contains what was read.
bool is_free(const MemoryStep& write, const MemoryStep& read) {
  if (write.begin == read.begin && write.end == read.end) return false;
  const Freed* const by = heap_blocks::find_freed(reinterpret_cast<const void*>(write.begin));
  return by != nullptr && by->thread == write.thread && (by->events == write.before || by->events == Freed::kManyEvents);
}

void add_row_of_other_free(Story& story, const MemorySteps& steps, uint32_t write, std::string_view variable) {
  char words[sizeof Aside::words];
  const int length = snprintf(words, sizeof words, "free the block with %.*s", static_cast<int>(variable.size()), variable.data());
  story.add_aside({steps[write].thread, steps[write].before, steps[write].event, steps.place(write), 0, {}},
                  {words, std::min(static_cast<size_t>(length), sizeof words - 1)});
}

void put_change(Text& out, const RunSummary& run, const MemorySteps& steps, uint32_t write, const char* before, const char* does) {
  out.put(before);
  put_thread(out, run, steps[write].thread);
  out.put(does);
  put_place(out, steps.place(write));
}

void put_free(Text& out, const RunSummary& run, const MemorySteps& steps, uint32_t free, std::string_view variable) {
  out.put(". Later, ");
  put_thread(out, run, steps[free].thread);
  out.put(" freed the block with ");
  out.put(variable);
  out.put(", at ");
  put_place(out, steps.place(free));
}

}  // namespace

void tell_source_of_address(Story& story, const RunSummary& run, const GoneMemory& gone) {
  if (story.thread >= run.thread_count) return;
  const MemorySteps steps(run, run.event_count, access_log().total());
  const uint32_t read = last_read(steps, story.thread, handler_of_event(story.thread, run.event_count), gone);
  if (read == kNoStep) return;
  static constinit Text name;  // another one could take the place of what name_of_step() returns
  name.clear();
  name.put(name_of_step(story, run, steps[read]));
  if (name.view().empty()) return;
  Text& what = story.what;
  put_thread(what, run, story.thread);
  what.put(" read the address from ");
  what.put(name.view());
  what.put(" at ");
  put_place(what, steps.place(read));
  const uint32_t source = steps.source(read), changed = steps.overwritten(read);
  const bool freed = changed != kNoStep && is_free(steps[changed], steps[read]);
  if (gone.events != kNoEvent && steps[read].before > gone.events) what.add(", after %s: it was still there", gone.end_of_it);
  else if (freed) put_free(what, run, steps, changed, name.view());
  else if (changed != kNoStep) put_change(what, run, steps, changed, ". Later, ", " changed it there, at ");
  else if (source != kNoStep) put_change(what, run, steps, source, ", where ", " had written it at ");
  what.put(".\n");
  add_step(story, run, steps, read);
  if (freed) add_row_of_other_free(story, steps, changed, name.view());
  else if (changed != kNoStep) add_step(story, run, steps, changed);
  else if (source != kNoStep && !steps[source].same_actor(steps[read])) add_step(story, run, steps, source);
}

}  // namespace heddle::rt
