// The program's heap blocks that controlled threads allocated, in this execution or an earlier one, and that still live. Between executions that
// is what they have left behind (engine/left_behind.h).
//
// Used by one kernel thread only: calls on any other thread do nothing.
#pragma once

#include <cstddef>

namespace heddle::rt::ledger {

// Forgets everything. Calls the next.
void begin();
// The calling thread is the engine's or a controlled one: it may free what they allocated.
void admit_thread();
bool admitted();
void allocated(void* block, size_t size);
// Whether the block was in the ledger, which it leaves. Part of every free in the process: mostly there is nothing to look for.
extern size_t g_live;
inline size_t live_blocks() { return g_live; }
bool take_out(void* block);
inline bool freed(void* block) { return g_live != 0 && take_out(block); }
size_t live_bytes();
using Visit = void (*)(void* block, size_t size, void* argument);
void visit(Visit callback, void* argument);

}  // namespace heddle::rt::ledger
