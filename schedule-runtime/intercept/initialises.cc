#include "intercept/initialises.h"

#include "intercept/library_access.h"

namespace heddle::rt {
namespace {

// A holder that has ended, or that belongs to the parent process, does not use the lock any more.
const Thread* holder_of(const Object& o) {
  const Thread* const t = o.holder != 0 ? &engine().thread(o.holder - 1) : nullptr;
  return t != nullptr && t != current_thread() && t->state == ThreadState::live ? t : nullptr;
}

const Thread* waiter_of(const Object& o) {
  for (const Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
    if (!Engine::begins_use(*p) && p->owner != current_thread()) return p->owner;
  }
  return nullptr;
}

void check_unused(const Object& o, Place place) {
  if (!o.modelled || o.destroyed) return;
  if (const Thread* const holder = holder_of(o); holder != nullptr) {
    return engine().misuse(FindingType::use_before_init, &o, place, holder->index, o.last_acquire_event);
  }
  if (const Thread* const waiter = waiter_of(o); waiter != nullptr) {
    engine().misuse(FindingType::use_before_init, &o, place, waiter->index);
  }
}

}  // namespace

void about_to_initialise(const volatile void* object, size_t size, Place place) {
  if (!asked_by_program(place)) return;
  Thread& t = *current_thread();
  const auto address = reinterpret_cast<uintptr_t>(object);
  t.initialises = Engine::home_of(address);
  library_accesses(const_cast<const void*>(object), [=] { return size; }, true, place);
  t.initialises = 0;
  if (const Object* const o = engine().find_object(address); o != nullptr) check_unused(*o, place);
}

}  // namespace heddle::rt
