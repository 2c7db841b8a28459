#include "primitives/file_operation.h"

#include "primitives/closed_number.h"
#include "primitives/descriptor_table.h"
#include "trace/file_event.h"

namespace heddle::rt::primitives {
namespace {

constinit char g_files = 0;  // its address is the object's

Object& files(Place place) {
  Object& o = engine().object(reinterpret_cast<uintptr_t>(&g_files), Family::files, place);
  o.modelled = true;
  o.label = "files";
  return o;
}

}  // namespace

void file_operation(Kind kind, Place place, Commit how) {
  Engine& e = engine();
  Object& o = files(place);
  Pending& p = e.arrive({.kind = kind, .object = &o, .place = place});
  if (kind == Kind::file_read) how.partner = o.last_write_event;
  e.commit(p, how);
}

void file_close(int descriptor, Place place) {
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::file_write, .object = &files(place), .place = place});
  if (find_description(descriptor) != nullptr) return e.withdraw(p);
  e.commit(p, {.value = kValueOfClose});
  file_number_closes(descriptor, place);
}

void file_number_closes(int descriptor, Place place) {
  if (descriptor > 2) number_was_closed(descriptor, &files(place));
}

}  // namespace heddle::rt::primitives
