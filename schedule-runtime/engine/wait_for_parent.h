// Waits in a child process that its parent could end. A child runs to its end while its parent stands still (child_process.h), so such a wait never
// ends. That says nothing about the program: it is neither a deadlock nor a livelock, but not supported.
#pragma once

#include <cstddef>
#include <span>

#include "scheduler/pending.h"

namespace heddle::rt {

// Objects in this memory belong to the program and all its child processes, though the program did not map it.
void processes_share(const void* begin, size_t size);

// This is a child process, and its run is about to end because of threads that wait (`spinning`: or look again and again). The operation of one that
// waits for what another process can do: send a signal, or write to memory that both have mapped. Null: no other process could help.
Pending* wait_for_parent(std::span<Pending* const> live, bool spinning);

// The thread of the operation that was found goes on: ends the run as not supported, at that operation.
void refuse_wait_for_parent(const Pending& p);

}  // namespace heddle::rt
