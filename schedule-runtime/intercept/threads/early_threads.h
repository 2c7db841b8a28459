// Threads that a program starts in its constructors: a callback before the first one exists.
#pragma once

namespace heddle::rt {

void set_early_thread_hook(void (*hook)());

}  // namespace heddle::rt
