// Calls in which a thread reads or changes files: names, contents, metadata. Threads can communicate through files without any other
// synchronisation. So there is a choice point before each call.
//
// One object represents all files. The kernel knows which file a name refers to (links, directories, renamed files), and conflicts are
// rare, because such calls are few. The object creates no order: in C and C++, reading a file is not a happens-before.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// `kind` is file_read or file_write. The call follows immediately; nothing runs between this operation and the call. `how` gives the value,
// if what the thread finds is known, and whether the call counts as progress in any case. A loop that finds the same again and again is
// spinning. Returns the event; kNoEvent if none was recorded.
uint32_t file_operation(Kind kind, Place place, Commit how = {});

// The thread is about to look for, make or remove a name that the model keeps itself (a semaphore's, a message queue's). Another thread may come
// first, and make the name or take it away.
void name_operation(Place place);

// The thread is about to use a file under this number. Called before the operation.
void file_number_use(int descriptor, Place place);
// A descriptor of a file is about to be closed, as an operation (file_number.h). If by the time that its turn has come the number is that of a
// pipe, a socket or the like, it is none: kNoEvent.
uint32_t file_close(int descriptor, Place place);
// The same without an operation, for calls that have one already. `close`: that operation, if it is on no object.
void file_number_closes(int descriptor, Place place, uint32_t close = kNoEvent);

}  // namespace heddle::rt::primitives
