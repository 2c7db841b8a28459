// The end of a program that heddle does not control, while all threads of the execution stand still.
#pragma once

#include <sys/types.h>

namespace heddle::rt {

// True: it has ended, with this status. False: it waits for what the execution would do later, through a pipe or a local socket, so it never ends. Then it
// has been killed. Where the kernel does not tell what a process waits for, this waits for ever.
bool wait_for_other_program(pid_t process, int& status);

}  // namespace heddle::rt
