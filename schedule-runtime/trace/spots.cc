#include "trace/spots.h"

namespace heddle::rt {

constinit SpotTable g_spots;

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
