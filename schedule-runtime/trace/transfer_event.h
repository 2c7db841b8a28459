// What the event of a read or write on a descriptor tells.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

inline bool is_transfer(const Event& e) { return e.kind == Kind::descriptor_read || e.kind == Kind::descriptor_write; }

// The error that it ended with; 0: not known. REQUIRES: it is one.
inline int transfer_error(const Event& e) {
  constexpr int kLast = 133;  // of errno, in Linux
  int error = kLast;
  while (error > 0 && e.value != transfer_value(e.kind, -error)) --error;
  return error;
}

}  // namespace heddle::rt
