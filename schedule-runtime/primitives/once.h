// Code that runs once: function-local statics and pthread_once. One thread runs the function, and the others wait. If the function fails,
// another thread tries.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

struct OnceState {
  uint32_t runner;       // thread index + 1; 0: none
  uint32_t begin_event;  // the runner's
  uint32_t end_event;    // of the last run; valid if `ran`
  bool ran;
  bool done;
};

// True: the caller runs the function and must then call once_end. `done` is the state in the program's memory. `name` is for reports.
bool once_begin(Object& once, bool done, const char* name, Place place);
uint32_t once_end(Object& once, bool success, Place place);  // the event

}  // namespace heddle::rt::primitives
