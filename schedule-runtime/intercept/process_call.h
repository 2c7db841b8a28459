// A call that changes what belongs to the whole process and is no memory, such as the file mask. It is no operation, but reports have a row for it.
#pragma once

#include "engine/engine.h"
#include "trace/recorder.h"
#include "trace/run_notes.h"

namespace heddle::rt {

// Null: nothing runs that has a report.
inline RunNote* note_process_call(const char* name, Place place) {
  Thread* const t = current_thread();
  if (t == nullptr) return nullptr;
  const Spot& spot = Engine::spot_of(*t, place);
  return &run_notes().add({RunNote::process_call, true, t->index, 0, static_cast<uint32_t>(recorder().events.size()), spot.position, spot.context, name});
}

}  // namespace heddle::rt
