// Events of small traces, made by hand.
#pragma once

#include "schema/event.h"

namespace heddle::cli {

// On object 0, for the first time, and without a partner. `done` 0: it has not finished.
inline Event stored_event(uint32_t thread, SiteId site, Kind kind, uint32_t done) {
  Event e = {};
  e.thread = thread;
  e.site = site;
  e.kind = kind;
  e.occurrence = 1;
  e.done = done;
  e.partner = kNoEvent;
  return e;
}

}  // namespace heddle::cli
