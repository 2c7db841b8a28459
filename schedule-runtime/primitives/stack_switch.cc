#include "primitives/stack_switch.h"

namespace heddle::rt::primitives {

void stack_switch(const void* context, bool saves, Place place) {
  Engine& e = engine();
  e.switches_stacks();
  Thread& t = *current_thread();
  const uint32_t stale_ops = t.stale_ops;
  Object& o = e.object(reinterpret_cast<uintptr_t>(context), Family::plain, place);
  Pending& p = e.arrive({.kind = saves ? Kind::plain_write : Kind::plain_read, .object = &o, .place = place});
  e.commit(p, {.partner = saves ? kNoEvent : o.last_write_event});
  t.stale_ops = stale_ops;
}

}  // namespace heddle::rt::primitives
