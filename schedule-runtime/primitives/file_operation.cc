#include "primitives/file_operation.h"

namespace heddle::rt::primitives {
namespace {

constinit char g_files = 0;  // its address is the object's

}  // namespace

void file_operation(Kind kind, Place place, Commit how) {
  Engine& e = engine();
  Object& o = e.object(reinterpret_cast<uintptr_t>(&g_files), Family::files, place);
  o.modelled = true;
  o.label = "files";
  Pending& p = e.arrive({.kind = kind, .object = &o, .place = place});
  if (kind == Kind::file_read) how.partner = o.last_write_event;
  e.commit(p, how);
}

}  // namespace heddle::rt::primitives
