#include "trace/spots.h"

#include "base/call_frames.h"

namespace heddle::rt {

constinit SpotTable g_spots;

namespace {

// The call into libc++ that has come to here; 0 where the library's tables do not tell.
uintptr_t call_into_library(uintptr_t pc, uintptr_t frame) {
  constexpr int kMostFrames = 32;
  CallFrame at = caller_of_frame(pc, frame);
  for (int i = 0; i < kMostFrames && at.pc != 0; ++i) {
    if (!sites().position(at.pc).passes_on) return at.pc;
    at = caller_of(at);
  }
  return 0;
}

}  // namespace

// Inside libc++ one position stands for as many as it is called from: the answer holds this once.
void SpotTable::find(Entry& e, uintptr_t pc, uintptr_t outer_pc, uint32_t node, uintptr_t frame) {
  const bool once = outer_pc == 0 && sites().position(pc).passes_on;
  resolve(e, pc, once ? call_into_library(pc, frame) : outer_pc, node);
  if (once) e.pc = kNoAnswer;
}

// A position inside the standard library, or in a module that is not instrumented, says nothing: take the user's call into it
// where a shim has noted it, else the nearest call site of the user's.
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
