#include "primitives/file_operation.h"

#include <algorithm>

#include "primitives/closed_number.h"
#include "primitives/descriptor_table.h"
#include "primitives/file_number.h"
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

uint32_t file_operation(Kind kind, Place place, Commit how) {
  Engine& e = engine();
  Object& o = files(place);
  Pending& p = e.arrive({.kind = kind, .object = &o, .place = place});
  if (kind == Kind::file_read) how.partner = o.last_write_event;
  return e.commit(p, how);
}

void file_number_use(int descriptor, Place place) {
  const uint32_t close = note_file_number_use(descriptor);
  if (close == kNoEvent) return;
  const uint32_t object = files(place).index;
  recorder().events[close].object = object;
  ObjectRecord& record = recorder().objects[object];
  record.first_event = std::min(record.first_event, close);
}

uint32_t file_close(int descriptor, Place place) {
  Engine& e = engine();
  const auto object = [&] {
    file_number_use(descriptor, place);
    return file_number_is_shared(descriptor) ? &files(place) : nullptr;
  };
  Pending& p = e.arrive({.kind = Kind::file_write, .object = object(), .place = place});
  // Other threads have run. They may have used the number, or closed it.
  if (find_description(descriptor) != nullptr) return e.withdraw(p), kNoEvent;
  Object* const o = object();
  Engine::settle_on(p, o);
  const uint32_t close = e.commit(p, {.value = kValueOfClose});
  file_number_closes(descriptor, place, o == nullptr ? close : kNoEvent);
  return close;
}

void file_number_closes(int descriptor, Place place, uint32_t close) {
  if (descriptor <= 2) return;
  number_was_closed(descriptor, &files(place));
  file_number_closed(descriptor, close);
}

void name_operation(Place place) {
  if (!current_thread()->alone) file_operation(Kind::file_write, place);
}

}  // namespace heddle::rt::primitives
