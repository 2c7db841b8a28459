// Numbers of descriptors that the execution has closed. The kernel gives the lowest free number to what is opened next. So a thread that
// still uses a closed number finds something else there, if another thread opens it first. The opening and such a use are both operations
// on the object that had the number last, so that their order can be changed. If no number was closed yet, the opening is an operation
// without an object: another thread may close one first.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// `object` has lost this number; the number names something again.
void number_was_closed(int number, Object* object);
void number_is_open(int number);
// According to the kernel. What was opened in a place without a shim, or for a file, is not told to number_is_open().
bool number_names_something(int number);

// The object that had this number last. Null: the number is open, or nothing of the execution had it.
Object* closed_object(int number);

// Another thread may still use this number, which was closed before. So to give it out again is an operation.
bool may_be_used_late(int number);

// Null: the next opening is no operation, since the thread is alone. `least`: the number will not be below it.
Pending* arrive_at_opening(int least, Place place);
// `number`: what was opened, or -errno.
void commit_opening(Pending& p, long number);

// `call` makes the kernel give out a number, and returns it.
template <typename F>
long open_number(F call, Place place, int least = 0) {
  Pending* const p = arrive_at_opening(least, place);
  const long number = call();
  if (p != nullptr) commit_opening(*p, number);
  return number;
}

}  // namespace heddle::rt::primitives
