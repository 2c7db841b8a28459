#include "primitives/closed_number.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "primitives/descriptor_table.h"
#include "trace/observer.h"

namespace heddle::rt::primitives {
namespace {

constinit ReservedArray<Object*> g_objects;  // by number; null: not closed
constinit bool g_registered = false;

Object* last_object(long number) {
  return number >= 0 && static_cast<size_t>(number) < g_objects.size() ? g_objects[static_cast<size_t>(number)] : nullptr;
}

bool others_run() {
  const Thread* const t = current_thread();
  return t != nullptr && t->gate != nullptr && !t->alone;
}

// The objects are those of one execution.
void initialise() {
  if (g_registered) return;
  g_registered = true;
  g_objects.reserve(kDescriptorLimit);
  add_observer({"closed numbers", nullptr, nullptr, [] { g_objects.clear(); }});
}

}  // namespace

bool number_names_something(int number) { return raw_syscall(SYS_fcntl, static_cast<uintptr_t>(number), F_GETFD) >= 0; }

void number_was_closed(int number, Object* object) {
  if (number >= kDescriptorLimit) return;
  initialise();
  while (g_objects.size() <= static_cast<size_t>(number)) g_objects.push() = nullptr;
  g_objects[static_cast<size_t>(number)] = object;
}

void number_is_open(int number) {
  if (last_object(number) != nullptr) g_objects[static_cast<size_t>(number)] = nullptr;
}

Object* closed_object(int number) {
  Object* const o = last_object(number);
  return o != nullptr && !number_names_something(number) ? o : nullptr;
}

bool may_be_used_late(int number) { return others_run() && last_object(number) != nullptr; }

Pending* arrive_at_opening(int least, Place place) {
  if (!others_run()) return nullptr;
  Object* had_it = nullptr;
  for (int i = least < 0 ? 0 : least; static_cast<size_t>(i) < g_objects.size() && had_it == nullptr; ++i) had_it = closed_object(i);
  return &engine().arrive({.kind = Kind::descriptor_open, .object = had_it, .place = place});
}

// Other threads have run since it arrived, so it may have got another number.
void commit_opening(Pending& p, long number) {
  Engine::settle_on(p, last_object(number));
  engine().commit(p, {.outcome = number < 0 ? Outcome::failure : Outcome::none, .stored = number >= 0, .news = number >= 0});
}

}  // namespace heddle::rt::primitives
