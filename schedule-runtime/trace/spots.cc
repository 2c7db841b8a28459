#include "trace/spots.h"

#include "base/call_frames.h"
#include "base/own_code.h"

namespace heddle::rt {

constinit SpotTable g_spots;

namespace {

// The program's call into a library that is not instrumented, which led here. 0 if the library's unwind tables do not tell.
uintptr_t call_into_library(uintptr_t pc, uintptr_t frame) {
  constexpr int kMostFrames = 32;
  CallFrame at = caller_of_frame(pc, frame);
  for (int i = 0; i < kMostFrames && at.pc != 0; ++i) {
    if (of_heddle(at.pc - 1)) return 0;  // the library's own thread: nothing of the program's has called it
    if (!sites().position(at.pc).passes_on) return at.pc;
    at = caller_of(at);
  }
  return 0;
}

}  // namespace

// One position inside such a library represents several calls into it. So this answer is not stored.
void SpotTable::find(Entry& e, uintptr_t pc, uintptr_t outer_pc, uint32_t node, uintptr_t frame) {
  const bool once = outer_pc == 0 && sites().position(pc).passes_on;
  resolve(e, pc, once ? call_into_library(pc, frame) : outer_pc, node);
  if (once) e.pc = kNoAnswer;
}

// A position inside the standard library, or in a module that is not instrumented, says nothing. Take the user's call into it if a shim has
// noted one, else the nearest call site in the user's code.
void SpotTable::resolve(Entry& e, uintptr_t pc, uintptr_t outer_pc, uint32_t node) {
  const SiteTable::Position inner = sites().position(pc);
  uint32_t site = inner.site, position = inner.site;
  if (inner.library) {
    const SiteTable::Position outer = outer_pc != 0 ? sites().position(outer_pc) : inner;
    site = position = outer.site;
    if (outer.library && contexts()[node].user_site != kNoUserSite) site = contexts()[node].user_site;
  }
  e = {pc, outer_pc, {sites()[site].id, site, position, node, contexts()[node].hash}};
}

}  // namespace heddle::rt
