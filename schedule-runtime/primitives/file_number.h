// Who uses the number of an open file. To close it matters to another thread that uses the same number, and to nobody who uses the same file
// under a number of its own. So such a close is on no object, and conflicts with nothing: otherwise it would conflict with every operation on
// every file. It is on the files, like a use, in three cases: another thread has used the number before; a thread uses it after the close;
// or the thread that has closed it gets it again, where another thread could have opened first. The last two are known only later.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// The current thread is about to use or to close the number. Returns the operation that has closed it, if that is on no object and turns out
// to be on the files; else kNoEvent.
uint32_t note_file_number_use(int number);
// Has another thread used it since it was opened, or is it closed?
bool file_number_is_shared(int number);
// The current thread has closed it. `close`: the operation, if it is on no object; else kNoEvent.
void file_number_closed(int number, uint32_t close);

}  // namespace heddle::rt::primitives
