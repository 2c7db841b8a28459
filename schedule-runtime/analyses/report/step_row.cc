#include "analyses/report/step_row.h"

#include "analyses/report/memory_words.h"
#include "analyses/report/names.h"
#include "analyses/report/values.h"

namespace heddle::rt {

std::string_view name_of_step(Story& story, const RunSummary& run, const MemoryStep& step) {
  return step.event != kNoEvent ? object_name(run, run.events[step.event].object) : memory_name(story, run, step.begin);
}

void add_step(Story& story, const RunSummary& run, const MemorySteps& steps, uint32_t step, const LoggedAccess* stored) {
  const MemoryStep& s = steps[step];
  if (s.event != kNoEvent) return story.add_event(s.event);
  const std::string_view name = name_of_step(story, run, s);
  if (name.empty()) return;
  static constinit Text words;
  words.clear();
  words.put(s.writes ? "write " : "read ");
  words.put(name);
  const LoggedAccess* const value = s.writes ? stored : s.access->has_value ? s.access : nullptr;
  if (value != nullptr) words.put(" = "), put_value(words, value->value, value->size);
  const uint32_t source = s.reads ? steps.source(step) : kNoStep;
  Aside aside = {s.thread, s.before, kNoEvent, steps.place(step), 0, {}};
  if (source != kNoStep && !steps[source].same_actor(s)) {
    aside.writer = steps[source].thread;
    aside.writer_position = steps.place(source);
    aside.writer_handles = steps[source].handler != 0;
  }
  story.add_aside(aside, words.view());
}

}  // namespace heddle::rt
