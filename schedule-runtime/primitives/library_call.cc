#include "primitives/library_call.h"

namespace heddle::rt::primitives {
namespace {

struct LibraryState {
  uint32_t user;  // the first thread that came, index + 1
  bool shared;    // another one has come since
};

}  // namespace

void library_call(const void* library, const char* name, Place place) {
  Engine& e = engine();
  Object& o = e.object(reinterpret_cast<uintptr_t>(library), Family::library, place);
  LibraryState& state = o.as<LibraryState>();
  const uint32_t me = current_thread()->index + 1;
  const bool first = !o.modelled;
  if (first) {
    o.modelled = true;
    o.label = name;
    state.user = me;
  }
  state.shared = state.shared || state.user != me;
  if (!state.shared && !first) return;
  Pending& p = e.arrive({.kind = Kind::library_call, .object = &o, .place = place});
  e.commit(p, {.partner = o.last_write_event});
}

}  // namespace heddle::rt::primitives
