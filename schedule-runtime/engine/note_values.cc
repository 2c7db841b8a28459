#include "engine/note_values.h"

#include "races/access_log.h"
#include "races/race_detector.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

// Has this event stored the value, so far as is known?
bool stored_by(uint32_t event, uint64_t value) {
  const EventValues* const source = recorder().values.of(event);
  return source != nullptr && (source->known & EventValues::kStored) != 0 && source->stored == value;
}

void note_left(uint32_t event, uint64_t value) {
  const uint64_t h = mix(value, 1);
  recorder().events[event].left = static_cast<uint32_t>(h ^ h >> 32) | 1;
}

}  // namespace

void note_values(uint32_t event, uint32_t source, uintptr_t address, EventValues::Shape shape, uint64_t read, uint64_t stored, uint64_t expected) {
  if (event == kNoEvent) return;
  EventValues& values = recorder().values.begin(event);
  values = {read, stored, expected, kNoEvent, 0, shape.size, shape.known};
  if ((shape.known & EventValues::kStored) != 0) note_left(event, stored);
  if ((shape.known & EventValues::kRead) == 0) return;
  const bool plain = kind_info(recorder().events[event].kind).has(kPlain);
  if (!plain && source != kNoEvent && stored_by(source, read)) return;
  uint32_t thread, site;
  if (!race_detector_plain_writer(address, thread, site)) return;
  // The write that is the source, as it seems. What it has stored was not known before.
  if (plain && source != kNoEvent && recorder().events[source].thread == thread && recorder().events[source].pc_index == site) {
    EventValues* const of_source = recorder().values.of(source);
    if (of_source != nullptr) of_source->stored = read, of_source->known |= EventValues::kStored;
    note_left(source, read);
    return;
  }
  values.writer_thread = thread;
  values.writer_site = site;
}

void note_section(uint32_t event, uint32_t taken) {
  if (taken == kNoEvent || event == kNoEvent) return;
  Event& e = recorder().events[event];
  e.left = written_since(e.thread, taken + 1);
}

}  // namespace heddle::rt
