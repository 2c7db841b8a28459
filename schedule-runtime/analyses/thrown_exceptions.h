// Where the exceptions of the present execution were thrown first, or made. A future's get() and std::rethrow_exception throw them again
// elsewhere, and a noexcept function ends the program where the stack of the throw is gone.
#pragma once

#include <cstdint>

#include "trace/finding.h"

namespace heddle::rt {

// `pc`: of the call by which a controlled thread throws it.
void note_throw(uintptr_t pc, const void* exception);
// The same for its memory. If the program throws it there, note_throw follows.
void note_made(uintptr_t pc, const void* exception);

// Null: not known.
const Thrown* find_throw(const void* exception);

// The first one that the thread has thrown after so many events; null: none, or not known.
const Thrown* first_throw(uint32_t thread, uint32_t events);

}  // namespace heddle::rt
