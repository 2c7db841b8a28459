// Streams (FILE), known by their addresses: what threads that share one do to its position and its buffer, and the lock that flockfile holds over
// several calls. libc's own lock, for the length of one call, needs no model: nothing else runs in the middle of one.
//
// The calls of a thread that is the only one to have come to a stream concern nobody, and most streams are of that kind: a choice stands before
// the first call of all, and before each once a second thread has come. Nothing is missed by that: whoever comes may be kept waiting there, while
// the others go on with a choice before each of their calls. As with files, calls order nothing; the lock does.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// `kind` is file_write where the call changes the stream, if only its position, else file_read. `state`: what the thread finds there; a loop that finds
// the same again and again is spinning. The call follows at once.
void stream_call(const void* stream, Kind kind, uint32_t state, Place place);
// The same of a stream that is watched for its lock alone.
void stream_waits(const void* stream, Place place);

void stream_lock(const void* stream, Place place);
bool stream_trylock(const void* stream, Place place);
void stream_unlock(const void* stream, Place place);

}  // namespace heddle::rt::primitives
