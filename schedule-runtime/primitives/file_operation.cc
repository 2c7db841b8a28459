#include "primitives/file_operation.h"

namespace heddle::rt::primitives {
namespace {

constinit char g_files = 0;  // its address is the object's

}  // namespace

void file_operation(Kind kind, const Place& place) {
  Engine& e = engine();
  Object& o = e.object(reinterpret_cast<uintptr_t>(&g_files), Family::files, place);
  o.modelled = true;
  o.label = "files";
  Pending& p = e.arrive({.kind = kind, .object = &o, .place = place});
  e.commit(p, {.partner = kind == Kind::file_read ? o.last_write_event : kNoEvent});
}

}  // namespace heddle::rt::primitives
