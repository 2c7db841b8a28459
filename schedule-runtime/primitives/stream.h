// Streams (FILE), identified by their addresses: the changes of position and buffer by threads that share a stream, and the lock that flockfile
// holds over several calls. libc's own lock lasts for one call and needs no model: nothing else runs in the middle of a call.
//
// While only one thread has used a stream, its calls do not affect other threads. Most streams stay so. So there is a choice point before
// the first call of all, and before every call once a second thread has come. This misses nothing: the second thread can be delayed before its
// first call, while the others run on, with a choice point before each of their calls. As with files, calls order nothing; the lock does.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// `kind` is file_write if the call changes the stream, even only its position; else file_read. `state` is what the thread finds there: a
// loop that finds the same again and again is spinning. The call follows immediately. Returns the event; kNoEvent if there was no choice point.
uint32_t stream_call(const void* stream, Kind kind, uint32_t state, Place place);
// The same for a stream of which only the lock matters.
void stream_waits(const void* stream, Place place);

void stream_lock(const void* stream, Place place);
bool stream_trylock(const void* stream, Place place);
void stream_unlock(const void* stream, Place place);
// In a child process the C library frees the locks of all streams.
void streams_forget_locks();

}  // namespace heddle::rt::primitives
