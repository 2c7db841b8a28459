// Threads that a program starts in its constructors: whoever wants to know of the first one before it is there.
#pragma once

namespace heddle::rt {

void set_early_thread_hook(void (*hook)());

}  // namespace heddle::rt
