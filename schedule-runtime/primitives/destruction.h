// The end of an object whose destruction is no operation: no other thread can tell when it comes.
#pragma once

#include "engine/engine.h"
#include "trace/recorder.h"
#include "trace/run_notes.h"

namespace heddle::rt::primitives {

inline void destroy_object(Object& o, Place place) {
  o.destroyed = true;
  Thread& t = *current_thread();
  const Spot& spot = Engine::spot_of(t, place);
  run_notes().add({RunNote::destroyed, true, t.index, o.index, static_cast<uint32_t>(recorder().events.size()), spot.position, spot.context});
}

}  // namespace heddle::rt::primitives
